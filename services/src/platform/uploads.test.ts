import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { addPlayerToTeam, registerTeam } from '@courtledger/contracts/team/team.api';
import { describe, expect, onTestFinished, test } from 'vitest';
import { form, jpeg, pdf, png, siteFor } from './testing/uploads-site.ts';
import { formBytes } from './uploads-form.ts';

const padded = (bytes: Buffer, size: number): Buffer => Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);

describe('sizes (S19)', () => {
  test('the limit of a file holds to the byte', async () => {
    const site = await siteFor(registerTeam);
    expect((await site.send(form({ logo: [padded(png, 2_097_152), 'x.png'] }))).status).toBe(200);
    const over = await site.send(form({ logo: [padded(png, 2_097_153), 'x.png'] }));
    expect([over.status, over.body.message, over.body.errors]).toEqual([413, 'Max size: 2MB', [{ path: 'logo', message: 'Max size: 2MB' }]]);
    expect(await site.files('media')).toHaveLength(2);
  });

  test('each field has its own limit, also within a larger form', async () => {
    const site = await siteFor(addPlayerToTeam);
    const document = addPlayerToTeam.files.document.maxBytes;
    expect((await site.send(form({ image: [png, 'x.png'], document: [padded(pdf, document), 'x.pdf'] }))).status).toBe(200);
    expect((await site.send(form({ image: [png, 'x.png'], document: [padded(pdf, document + 1), 'x.pdf'] }))).body.message).toBe(
      'ID document must be a pdf, jpg, jpeg or png',
    );
    expect((await site.send(form({ image: [padded(png, 2_097_153), 'x.png'], document: [pdf, 'x.pdf'] }))).body.message).toBe('Max size: 2MB');
    expect(await site.files('documents')).toHaveLength(1);
  });

  test('a photo far too large is refused under its own name, though the form is as well', async () => {
    const site = await siteFor(addPlayerToTeam);
    const over = await site.send(form({ image: [padded(jpeg, 10_000_000), 'x.jpg'], document: [pdf, 'x.pdf'] }));
    expect([over.status, over.body.message, over.body.errors]).toEqual([413, 'Max size: 2MB', [{ path: 'image', message: 'Max size: 2MB' }]]);
  });

  test('who sends all of a photo before reading reads the answer', async () => {
    const site = await siteFor(registerTeam);
    const size = 10_000_000;
    const socket = connect(Number(new URL(site.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.pause();
    const head = '--x\r\nContent-Disposition: form-data; name="logo"; filename="x.png"\r\n\r\n';
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${size}\r\n\r\n${head}`);
    // Rejects where the connection is reset: nothing could be read then.
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.write(Buffer.alloc(size - head.length), (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
    const answer = once(socket, 'data') as Promise<[Buffer]>;
    socket.resume();
    const [first] = await answer;
    expect(first.toString('latin1').split('\r\n')[0]).toBe('HTTP/1.1 413 Payload Too Large');
    socket.destroy();
  });

  test('what comes of a form after it was refused is read to its end, and the next request on the connection is answered', async () => {
    const site = await siteFor(registerTeam);
    const socket = connect(Number(new URL(site.url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const status = async (): Promise<string | undefined> => {
      const [first] = (await once(socket, 'data')) as [Buffer];
      return first.toString('latin1').split('\r\n')[0];
    };
    const part = '--x\r\nContent-Disposition: form-data; name="logo"; filename="x.png"\r\n\r\nx\r\n';
    // More than is kept of a body that nobody reads.
    const [begun, rest] = [part.repeat(20), `${part.repeat(4000)}--x--\r\n`];
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${String(begun.length + rest.length)}\r\n\r\n${begun}`,
    );
    expect(await status()).toBe('HTTP/1.1 400 Bad Request');
    socket.write(`${rest}POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 7\r\n\r\n--x--\r\n`);
    expect(await status()).toBe('HTTP/1.1 200 OK');
  });

  test('300 MB that are announced are refused unread', async () => {
    const site = await siteFor(registerTeam);
    const upload = httpRequest(site.url, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': String(300 * 1024 * 1024) },
    });
    upload.on('error', () => undefined);
    upload.write('--x\r\nContent-Disposition: form-data; name="logo"; filename="x.png"\r\n\r\n');
    const [response] = (await once(upload, 'response')) as [{ readonly statusCode: number }];
    expect(response.statusCode).toBe(413);
    // Answered while the body was still missing: nothing of it was waited for.
    expect(site.received()).toBeLessThan(100_000);
    upload.destroy();
  });

  test('a body without a length is cut off where it goes too far', async () => {
    const site = await siteFor(registerTeam);
    const upload = httpRequest(site.url, { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x', 'transfer-encoding': 'chunked' } });
    upload.on('error', () => undefined);
    upload.write('--x\r\nContent-Disposition: form-data; name="stray"; filename="x.png"\r\n\r\n');
    const chunk = Buffer.alloc(256 * 1024);
    let sent = 0;
    const answer: { status?: number | undefined } = {};
    upload.on('response', (response) => {
      answer.status = response.statusCode;
    });
    // Unknown files are thrown away, but not without end.
    while (answer.status === undefined && sent < 300 * 1024 * 1024) {
      sent += chunk.length;
      // As fast as it is taken.
      await new Promise<void>((resolve) => {
        upload.write(chunk, () => {
          setImmediate(resolve);
        });
      });
    }
    expect(answer.status).toBe(413);
    expect(site.received()).toBeLessThan(formBytes(registerTeam) + 10 * 1024 * 1024);
    upload.destroy();
  });

  test('an upload that is broken off leaves nothing', async () => {
    const site = await siteFor(registerTeam);
    const upload = httpRequest(site.url, { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '1000000' } });
    upload.on('error', () => undefined);
    upload.write(Buffer.concat([Buffer.from('--x\r\nContent-Disposition: form-data; name="logo"; filename="x.png"\r\n\r\n'), Buffer.alloc(300_000)]));
    await expect.poll(async () => (await site.files('media')).length).toBe(1);
    upload.destroy();
    await expect.poll(async () => site.files('media')).toEqual([]);
    expect((await site.send(form({ name: 'next' }))).status).toBe(200);
  });
});

describe('documents', () => {
  test('are never readable on the disk (S14)', async () => {
    const site = await siteFor(addPlayerToTeam);
    const { status, body } = await site.send(form({ image: [jpeg, 'x.jpg'], document: [pdf, 'x.pdf'] }));
    expect(status).toBe(200);
    const name = body.kept?.['document'] ?? '';
    expect(name).toMatch(/^[0-9a-f-]{36}$/);
    const sealed = await readFile(join(site.dataDir, 'documents', name));
    expect(sealed.includes('PDF')).toBe(false);
    expect(sealed.length).toBe(pdf.length + 28);
  });

  test.each<[string, Buffer, string, number]>([
    ['a pdf', pdf, 'x.pdf', 200],
    ['a scan', jpeg, 'x.jpeg', 200],
    ['a picture', png, 'x.PNG', 200],
    ['a page', Buffer.from('<html>'), 'x.pdf', 415],
    ['a pdf that is no first thing in its file', Buffer.concat([Buffer.from('<html>'), pdf]), 'x.pdf', 415],
    ['a pdf by another name', pdf, 'x.png', 415],
    ['a text', Buffer.from('hello'), 'x.txt', 415],
  ])('%s', async (_name, bytes, file, expected) => {
    const site = await siteFor(addPlayerToTeam);
    expect((await site.send(form({ document: [bytes, file] }))).status).toBe(expected);
  });
});
