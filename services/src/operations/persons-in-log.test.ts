import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { LogUnavailable } from '../event-log/event-log.ts';
import { asNobody, folderForAll } from '../event-log/testing/as-nobody.ts';
import { EventStoreStandIn } from '../event-log/testing/eventstoredb-stand-in.ts';
import { personsInLog } from './persons-in-log.ts';

it('passes over facts that name nobody', async () => {
  const standIn = await EventStoreStandIn.start();
  onTestFinished(async () => standIn.close());
  const append = (stream: string, type: string, data: unknown): void =>
    void standIn.store.append(stream, 'any', [
      { id: randomUUID(), type, contentType: 'application/json', data: Buffer.from(JSON.stringify(data)), metadata: new Uint8Array() },
    ]);
  append('person-1', 'PersonDetailsRecorded', null);
  for (const data of [null, {}, { personId: 7 }, 'a text', { personId: '2' }]) append('audit-2026-11', 'PersonErased', data);
  expect(await personsInLog({ dataDir: 'nowhere', store: { kind: 'eventstoredb', url: standIn.url } })).toEqual({
    all: new Set(['1', '2']),
    erased: new Set(['2']),
  });
});

it('a log in a file that this user may not open is named in words', async () => {
  const folder = folderForAll();
  onTestFinished(() => folder.remove());
  writeFileSync(folder.path('event-log.sqlite'), '', { mode: 0o000 });
  await expect(asNobody(async () => personsInLog({ dataDir: folder.path('.'), store: { kind: 'sqlite' } }))).rejects.toThrow(LogUnavailable);
});
