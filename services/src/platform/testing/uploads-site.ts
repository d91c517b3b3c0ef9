import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import sharp, { type Sharp } from 'sharp';
import { onTestFinished } from 'vitest';
import { openDocumentStore } from '../documents.ts';
import { sendAnswer } from '../endpoint-answer.ts';
import { openMediaStore } from '../media.ts';
import { openPersonVault } from '../person-vault.ts';
import { problemOf } from '../problem.ts';
import { createUploads } from '../uploads.ts';
import { temporaryFolder } from './gate-fixtures.ts';

type Reply = {
  readonly status: number;
  readonly body: {
    readonly fields?: unknown;
    readonly missing?: unknown;
    readonly kept?: Record<string, string>;
    readonly message?: string;
    readonly errors?: unknown;
  };
};
type Site = {
  readonly dataDir: string;
  readonly url: string;
  received(): number;
  send(body: FormData | string | Buffer, headers?: Record<string, string>): Promise<Reply>;
  files(folder: 'media' | 'documents'): Promise<string[]>;
};

/** An HTTP server that does with a form what the binding does, and keeps every file. */
export const siteFor = async (endpoint: Endpoint): Promise<Site> => {
  const dataDir = temporaryFolder();
  const vault = openPersonVault(dataDir);
  const media = await openMediaStore(dataDir);
  const uploads = createUploads({ media, documents: await openDocumentStore(dataDir, vault) });
  let received = 0;
  const server = createServer((request, response) => {
    const answer = async (): Promise<{ status: number; body: unknown }> => {
      const form = await uploads.receive(request, endpoint, '192.0.2.1');
      try {
        const staged = await form.stage({ caller: { role: 'visitor' }, address: '192.0.2.1' });
        const kept: Record<string, string> = {};
        for (const [field, file] of Object.entries(staged))
          kept[field] = file.kind === 'image' ? await file.keepImage() : (await file.keepDocument('p1')).documentId;
        return { status: 200, body: { fields: form.fields, missing: form.missing(), kept } };
      } finally {
        await form.discard();
      }
    };
    answer()
      .catch((error: unknown) => problemOf(error, 'r1'))
      .then(({ status, body }) => {
        received = request.socket.bytesRead;
        sendAnswer(request, response, { status, headers: ['Content-Type', 'application/json'], body: JSON.stringify(body) });
        return undefined;
      })
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    vault.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    dataDir,
    url,
    received: () => received,
    async send(body, headers = {}) {
      const response = await fetch(url, { method: 'POST', body: Buffer.isBuffer(body) ? new Uint8Array(body) : body, headers });
      return { status: response.status, body: (await response.json()) as Reply['body'] };
    },
    files: async (folder) => readdir(join(dataDir, folder)),
  };
};

export const form = (parts: Readonly<Record<string, string | [Buffer, string]>>): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, new Blob([new Uint8Array(value[0])]), value[1]);
  }
  return data;
};
export const picture = (width = 60, height = 40): Sharp => sharp({ create: { width, height, channels: 3, background: '#b33' } });
export const png = await picture().png().toBuffer();
export const jpeg = await picture().jpeg().toBuffer();
export const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n%%EOF\n');
