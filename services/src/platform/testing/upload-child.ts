import { once } from 'node:events';
import fs from 'node:fs/promises';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { addPlayerToTeam } from '@courtledger/contracts/team/team.api';
import { openSqliteEventLog } from '../../event-log/sqlite-event-log.ts';
import { openDocumentStore } from '../documents.ts';
import { openMediaStore } from '../media.ts';
import { openPersonVault } from '../person-vault.ts';
import { createUploads } from '../uploads.ts';

/**
 * One upload from the first byte to the answer, in a process that dies on the way. Arguments: the data folder, and where to die:
 * `arrived` (in temporary files), `written` (the first file, not in its place yet), `half` (some files in their place), `kept` (all of them, no fact yet),
 * `appended` (before the answer), or `never`.
 */
const [, , dataDir = '', step = ''] = process.argv;
const dieAt = (here: string): void => {
  if (here === step) process.kill(process.pid, 'SIGKILL');
};

const renamed = { count: 0 };
const { rename } = fs;
fs.rename = async (from, to) => {
  renamed.count += 1;
  if (renamed.count === 1) dieAt('written');
  await rename(from, to);
  // The card of the photo, its main size, the document: in the middle of the three.
  if (renamed.count === 2) dieAt('half');
};
syncBuiltinESMExports();

const vault = openPersonVault(dataDir);
const log = openSqliteEventLog({ path: `${dataDir}/event-log.sqlite` });
const uploads = createUploads({ media: await openMediaStore(dataDir), documents: await openDocumentStore(dataDir, vault) });

const server = createServer((request, response) => {
  const answer = async (): Promise<void> => {
    const form = await uploads.receive(request, addPlayerToTeam, '192.0.2.1');
    dieAt('arrived');
    const { image, document } = await form.stage({ caller: { role: 'visitor' }, address: '192.0.2.1' });
    if (image === undefined || document === undefined) throw new Error('A file is missing');
    const data = { image: await image.keepImage(), document: (await document.keepDocument('p1')).documentId };
    dieAt('kept');
    const id = randomUUID();
    await log.append(`person-${id}`, 'no-stream', [
      {
        id,
        type: 'PersonDetailsRecorded',
        data,
        metadata: {
          commandId: id,
          correlationId: id,
          causationId: id,
          actor: { role: 'system', id: 'test', name: 'Test' },
          time: new Date(0).toISOString(),
          schemaVersion: 1,
        },
      },
    ]);
    dieAt('appended');
    await form.discard();
    response.end('done');
  };
  answer().catch((error: unknown) => response.writeHead(500).end(String(error)));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');

const picture = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#357' } })
  .png()
  .toBuffer();
const form = new FormData();
form.append('image', new Blob([new Uint8Array(picture)]), 'photo.png');
form.append('document', new Blob(['%PDF-1.7 a document of some length']), 'id.pdf');
const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { method: 'POST', body: form });
process.stdout.write(await answer.text());
server.close();
server.closeAllConnections();
await log.close();
vault.close();
