import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import express from 'express';

/**
 * What the product is measured against, each in a process of its own: `node reference-server.ts echo|bare|send|json <file>`.
 * echo: an Express route that parses a JSON body and echoes it. bare, send, json: the bytes of <file> (headers in <file>.headers) by node:http, by Express
 * as ready bytes, by Express from the object. Prints the port as its first line.
 */
const [kind = 'echo', file = ''] = process.argv.slice(2);

const make = (): Server => {
  if (kind === 'echo') {
    const app = express();
    app.post('/api/match/matches/:id/stat-entries', express.json(), (request, response) => {
      response.status(201).json(request.body as unknown);
    });
    return createServer(app);
  }
  const bytes = readFileSync(file);
  const headers = JSON.parse(readFileSync(`${file}.headers`, 'utf8')) as Record<string, string>;
  if (kind === 'bare') {
    return createServer((_request, response) => {
      response.writeHead(200, headers);
      response.end(bytes);
    });
  }
  const app = express();
  const object = JSON.parse(bytes.toString('utf8')) as unknown;
  app.get('*path', (_request, response) => {
    if (kind === 'send') response.type('json').send(bytes);
    else response.json(object);
  });
  return createServer(app);
};

const server = make();
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' && address ? address.port : 0);
});
