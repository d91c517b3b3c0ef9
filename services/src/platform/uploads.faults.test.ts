import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addPlayerToTeam } from '@courtledger/contracts/team/team.api';
import { openSqliteEventLog } from '../event-log/sqlite-event-log.ts';
import { runSeed, seededRandom } from '../event-log/testing/random.ts';
import { openDocumentStore } from './documents.ts';
import { temporaryPrefix } from './durable-file.ts';
import { sendAnswer } from './endpoint-answer.ts';
import { cardOf, openMediaStore } from './media.ts';
import { openPersonVault } from './person-vault.ts';
import { problemOf } from './problem.ts';
import { temporaryFolder } from './testing/gate-fixtures.ts';
import { createUploads } from './uploads.ts';

const full = process.env['FAULTS'] === 'full';
const script = fileURLToPath(new URL('./testing/upload-child.ts', import.meta.url));
const day = 24 * 3_600_000;
const descriptors = (): number => readdirSync('/proc/self/fd').length;
const part = (name: string, file: string): Buffer => Buffer.from(`--x\r\nContent-Disposition: form-data; name="${name}"; filename="${file}"\r\n\r\n`);

type Referred = { readonly image: string; readonly document: string };
/** Runs an upload in a process of its own, which dies at that step. */
const upload = async (dataDir: string, step: string): Promise<{ readonly signal: NodeJS.Signals | null; readonly said: string }> => {
  const child = spawn(process.execPath, [script, dataDir, step], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { signal, said };
};
const referredBy = async (dataDir: string): Promise<readonly Referred[]> => {
  const log = openSqliteEventLog({ path: join(dataDir, 'event-log.sqlite') });
  const events = await log.readAll('start', 10_000);
  await log.close();
  return events.map((event) => event.data as Referred);
};

describe('files and facts (R19)', () => {
  test('a kill at any step leaves no fact without its files, and the janitor takes the rest', { timeout: 900_000 }, async () => {
    const dataDir = temporaryFolder();
    const rounds = full ? 20 : 1;
    expect(await upload(dataDir, 'never')).toEqual({ signal: null, said: 'done' });
    for (let round = 0; round < rounds; round += 1) {
      for (const step of ['arrived', 'written', 'half', 'kept', 'appended']) {
        expect({ step, ...(await upload(dataDir, step)) }).toEqual({ step, signal: 'SIGKILL', said: '' });
      }
    }
    const referred = await referredBy(dataDir);
    expect(referred).toHaveLength(1 + rounds);
    const there = (path: string): boolean => existsSync(join(dataDir, path));
    for (const { image, document } of referred) expect([there(image), there(cardOf(image)), there(join('documents', document))]).toEqual([true, true, true]);
    // Every step but the last leaves something behind.
    expect(readdirSync(join(dataDir, 'media')).length).toBeGreaterThan(2 * referred.length);
    expect(readdirSync(join(dataDir, 'media')).some((name) => name.startsWith(temporaryPrefix))).toBe(true);

    const vault = openPersonVault(dataDir);
    onTestFinished(() => {
      vault.close();
    });
    const [media, documents] = [await openMediaStore(dataDir), await openDocumentStore(dataDir, vault)];
    await media.sweepOrphans(new Set(referred.map(({ image }) => image)), { since: 0, now: Date.now() + day + 60_000 });
    await documents.sweepOrphans(new Set(referred.map(({ document }) => document)), { since: 0, now: Date.now() + day + 60_000 });
    expect(readdirSync(join(dataDir, 'media')).toSorted()).toEqual(referred.flatMap(({ image }) => [image.slice(7), cardOf(image).slice(7)]).toSorted());
    expect(readdirSync(join(dataDir, 'documents')).toSorted()).toEqual(referred.map(({ document }) => document).toSorted());
    for (const { document } of referred) {
      expect((await documents.open('p1', document))?.toString()).toBe('%PDF-1.7 a document of some length');
    }
  });

  test('uploads that are broken off leave no file and no descriptor', { timeout: 900_000 }, async () => {
    const dataDir = temporaryFolder();
    const vault = openPersonVault(dataDir);
    const uploads = createUploads({ media: await openMediaStore(dataDir), documents: await openDocumentStore(dataDir, vault) });
    const outcomes = { kept: 0, refused: 0 };
    let settled = 0;
    const server = createServer((request, response) => {
      const answer = async (): Promise<void> => {
        try {
          const form = await uploads.receive(request, addPlayerToTeam, '192.0.2.1');
          await form.discard();
          outcomes.kept += 1;
          response.end('done');
        } catch (error) {
          outcomes.refused += 1;
          const { status, body } = problemOf(error, 'r1');
          sendAnswer(request, response, { status, headers: [], body: JSON.stringify(body) });
        } finally {
          settled += 1;
        }
      };
      answer().catch(() => response.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
      vault.close();
    });
    const { port } = server.address() as AddressInfo;
    const body = Buffer.concat([
      part('image', 'photo.png'),
      randomBytes(150_000),
      Buffer.from('\r\n'),
      part('document', 'id.pdf'),
      Buffer.from('%PDF-1.7'),
      Buffer.alloc(60_000),
      Buffer.from('\r\n--x--\r\n'),
    ]);
    const head = Buffer.from(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${body.length}\r\n\r\n`);
    const whole = Buffer.concat([head, body]);

    const random = seededRandom(runSeed('aborted uploads'));
    const count = full ? 2000 : 100;
    const before = descriptors();
    for (let index = 0; index < count; index += 1) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      // From just behind the head to one byte before the end.
      const cut = head.length + Math.floor(random() * (body.length - 1));
      // A few at a time are broken off: memory is not what is tested.
      await new Promise<void>((resolve) => {
        socket.write(whole.subarray(0, cut), () => {
          resolve();
        });
      });
      if (random() < 0.5) socket.destroy();
      else socket.resetAndDestroy();
    }
    await expect.poll(() => settled, { timeout: 60_000 }).toBe(count);
    expect(outcomes).toEqual({ kept: 0, refused: count });
    await expect.poll(() => readdirSync(join(dataDir, 'media')), { timeout: 10_000 }).toEqual([]);
    await expect.poll(() => descriptors() <= before, { timeout: 10_000 }).toBe(true);
    const last = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: new Uint8Array(body),
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    expect(await last.text()).toBe('done');
  });
});
