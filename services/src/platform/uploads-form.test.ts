import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { addPlayerToTeam, registerTeam } from '@courtledger/contracts/team/team.api';
import { createTournament } from '@courtledger/contracts/tournament/tournament.api';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sendAnswer } from './endpoint-answer.ts';
import { problemOf } from './problem.ts';
import { temporaryFolder } from './testing/gate-fixtures.ts';
import { form, png, siteFor } from './testing/uploads-site.ts';
import { readForm } from './uploads-form.ts';

/** Sends a form byte by byte. */
const drip = async (url: string, bytes: string): Promise<{ readonly status: number | undefined; readonly text: string }> => {
  const upload = httpRequest(url, { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x', 'transfer-encoding': 'chunked' } });
  const answered = once(upload, 'response') as Promise<[IncomingMessage]>;
  upload.on('error', () => {});
  for (const byte of bytes)
    await new Promise<void>((resolve) => {
      upload.write(byte, () => {
        setImmediate(resolve);
      });
    });
  upload.end();
  const [response] = await answered;
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode, text };
};

describe('text parts', () => {
  test('nest by brackets; empty file fields and unknown files are ignored', async () => {
    const site = await siteFor(createTournament);
    const sent = form({
      name: 'Cup',
      'organizer[name]': 'Asha',
      'prizePool[firstPrize]': '100',
      'prizePool[mvp]': 'TBD',
      posterImage: '',
      stray: [png, 'stray.png'],
    });
    expect((await site.send(sent)).body).toEqual({
      fields: { name: 'Cup', organizer: { name: 'Asha' }, prizePool: { firstPrize: '100', mvp: 'TBD' } },
      missing: [
        { path: 'posterImage', message: createTournament.files.posterImage.missing },
        { path: 'organizerImage', message: createTournament.files.organizerImage.missing },
      ],
      kept: {},
    });
    expect(await site.files('media')).toEqual([]);
  });

  test.each<[string, FormData | string, Record<string, string>]>([
    ['FormData without parts', new FormData(), {}],
    ['an end and nothing else', '--x--\r\n', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['no body', '', { 'content-type': 'multipart/form-data; boundary=x' }],
  ])('%s is a form without fields', async (_name, body, headers) => {
    const { status, body: answer } = await (await siteFor(registerTeam)).send(body, headers);
    expect([status, answer.fields]).toEqual([200, {}]);
  });

  test.each<[string, string, string]>([
    ['cut off', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1', 'multipart/form-data; boundary=x'],
    ['with a part that has no name', '--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x--\r\n', 'multipart/form-data; boundary=x'],
    ['without a boundary', 'nothing', 'multipart/form-data'],
    ['of something else', 'nothing', 'multipart/form-data; boundary=x'],
  ])('a form %s is 400 in words of ours', async (_name, body, contentType) => {
    const { status, body: answer } = await (await siteFor(registerTeam)).send(body, { 'content-type': contentType });
    expect(status).toBe(400);
    expect(['The form could not be read', 'The form has parts that do not belong in it']).toContain(answer.message);
  });

  test.each(['\r\n', 'before the first part\r\n', ''])(
    'what stands behind the end of a form does not belong to it, whatever it begins (%j before the end)',
    async (preamble) => {
      const site = await siteFor(registerTeam);
      const part = '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nReds\r\n';
      const cut = '--x\r\nContent-Disposition: form-data; name="logo"; filename="x.png"\r\n\r\nand no more';
      // Left to the parser, a file that begins there and is cut off is waited for until the connection times out.
      for (const [body, fields] of [
        [`${preamble}--x--\r\n${part}${cut}`, {}],
        [`${preamble}${part}--x--${cut}`, { name: 'Reds' }],
      ] as const) {
        for (const boundary of ['x', '"x"', 'x; charset=utf-8']) {
          const { status, body: answer } = await site.send(body, { 'content-type': `multipart/form-data; boundary=${boundary}` });
          expect([status, answer.fields]).toEqual([200, fields]);
        }
      }
      expect(await site.files('media')).toEqual([]);
    },
  );

  test('an end that arrives in pieces is one', async () => {
    const site = await siteFor(registerTeam);
    const bytes =
      '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nReds\r\n--x--\r\n--x\r\nContent-Disposition: form-data; name="origin"\r\n\r\nlate\r\n--x--\r\n';
    const { text } = await drip(site.url, bytes);
    expect((JSON.parse(text) as { fields: unknown }).fields).toEqual({ name: 'Reds' });
  });

  test('one that comes in a thousand pieces of a byte each is refused', async () => {
    const site = await siteFor(registerTeam);
    const bytes = `--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n${'R'.repeat(1000)}\r\n--x--\r\n`;
    const { status, text } = await drip(site.url, bytes);
    expect([status, (JSON.parse(text) as { message: string }).message]).toEqual([400, 'The form comes in too many pieces']);
  });

  test('no name reaches a prototype (S21)', async () => {
    const site = await siteFor(registerTeam);
    const { status, body } = await site.send(
      form({
        '__proto__[role]': 'admin',
        __proto__x: '1',
        'constructor[prototype]': 'x',
        'prototype[role]': 'x',
        'a[__proto__]': 'x',
        'a[constructor]': 'x',
        'a[b]': 'y',
        organizer: 'text',
        'organizer[name]': 'Asha',
        'team[name]': 'first',
        team: 'text',
        name: 'Reds',
      }),
    );
    expect([status, body.fields]).toEqual([200, { __proto__x: '1', a: { b: 'y' }, organizer: { name: 'Asha' }, team: { name: 'first' }, name: 'Reds' }]);
    expect(({} as Record<string, unknown>)['role']).toBeUndefined();
  });

  test('hostile names are 400 (S20)', async () => {
    const site = await siteFor(registerTeam);
    const names = [
      'a[99999999]',
      'a[4294967294]',
      'a[1]',
      'a[0][99999]',
      'a[b][c]',
      'a[b][c][d][e]',
      `a${'[b]'.repeat(30)}`,
      `a${'[0]'.repeat(30)}`,
      'n'.repeat(101),
      'n'.repeat(10_000),
      'a[99999999999999999999]',
      'organizer[0][name]',
      'organizer[name][first]',
      'a[7][7]',
      `a[${'9'.repeat(90)}]`,
      'a[2]',
      'prizePool[1000000]',
      '__proto__[a][b]',
      'a[][b][c]',
      'constructor[prototype][role]',
    ];
    expect(names).toHaveLength(20);
    for (const name of names) {
      // The good field behind it is not read any more: the name alone was refused, before anything was made of it.
      const { status, body } = await site.send(form({ [name]: 'x', name: 'Reds' }));
      expect([name, status, body.message, body.fields]).toEqual([name, 400, 'The form has parts that do not belong in it', undefined]);
    }
  });

  test('two fields that crash or hang other parsers only make a small object (CVE-2026-77078, CVE-2026-82333)', async () => {
    const site = await siteFor(registerTeam);
    for (const [first, second] of [
      ['a[]', 'a[b]'],
      ['a[0]', 'a'],
      ['a', 'a[0]'],
      ['a[0]', 'a[b]'],
      ['a[b]', 'a[]'],
      ['a[]', 'a[0]'],
    ] as const) {
      const { status } = await site.send(form({ [first]: '1', [second]: '2' }));
      expect([200, 400]).toContain(status);
    }
    expect((await site.send(form({ name: 'still here' }))).body.fields).toEqual({ name: 'still here' });
  });

  test('too many and too long parts are 400', async () => {
    const site = await siteFor(registerTeam);
    const many = form(Object.fromEntries(Array.from({ length: 61 }, (_, index) => [`f${index}`, 'x'])));
    expect((await site.send(many)).status).toBe(400);
    expect((await site.send(form({ stray: 'x'.repeat(8193) }))).body.message).toBe('A text in the form is too long');
    expect((await site.send(form({ name: 'x'.repeat(8192) }))).status).toBe(200);
    const twice = new FormData();
    twice.append('logo', new Blob([new Uint8Array(png)]), 'a.png');
    twice.append('logo', new Blob([new Uint8Array(png)]), 'b.png');
    expect((await site.send(twice)).body.message).toBe('Only one file can be sent as logo');
    expect(await site.files('media')).toEqual([]);
  });
});

test.each<[string, Parameters<typeof siteFor>[0], string, string]>([
  ['a name', registerTeam, 'name', 'name must be at most 120 characters long'],
  ['a phone', registerTeam, 'teamPrimaryNumber', 'Valid contact number is required'],
  ['a bracketed name', createTournament, 'organizer[name]', 'organizer[name] must be at most 120 characters long'],
  ['a day', createTournament, 'startDate', 'startDate must be a calendar date'],
])('%s that is too long to be read is refused as one that was read is', async (_name, endpoint, path, message) => {
  const { status, body } = await (await siteFor(endpoint)).send(form({ [path]: 'x'.repeat(8193) }));
  expect([status, body.message, body.errors]).toEqual([400, message, [{ path, message }]]);
});

test('of the memory for documents one address has half, as a hall full of managers may need it, until they are done with', async () => {
  const folder = temporaryFolder();
  const held: (() => Promise<void>)[] = [];
  const hold = async (request: IncomingMessage): Promise<number> => {
    try {
      held.push((await readForm(request, addPlayerToTeam, String(request.headers['x-address']), () => join(folder, 'none'))).discard);
      return 200;
    } catch (error) {
      return problemOf(error, 'r1').status;
    }
  };
  const server = createServer((request, response) => {
    void hold(request).then((status) => sendAnswer(request, response, { status, headers: [], body: '' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
  const document = Buffer.alloc(addPlayerToTeam.files.document.maxBytes);
  const send = async (address: string): Promise<number> =>
    (await fetch(url, { method: 'POST', headers: { 'x-address': address }, body: form({ document: [document, 'x.pdf'] }) })).status;
  for (let sent = 0; sent < 12; sent += 1) expect(await send('192.0.2.1')).toBe(200);
  expect([await send('192.0.2.1'), await send('192.0.2.2')]).toEqual([503, 200]);
  await held[0]?.();
  expect(await send('192.0.2.1')).toBe(200);
  for (const discard of held) await discard();
});
