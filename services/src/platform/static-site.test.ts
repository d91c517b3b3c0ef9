import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PageHead } from '@courtledger/contracts/kernel/page-head';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FirstAnswer } from './first-answer.ts';
import { staticSite } from './static-site.ts';

let webDir = '';
let server: Server | undefined;
let base = '';
let answer: FirstAnswer | undefined;
let head: PageHead | undefined;
const page = '<!doctype html><html><head><title>CourtLedger</title></head><body></body></html>';

beforeAll(async () => {
  webDir = mkdtempSync(join(tmpdir(), 'courtledger-site-'));
  writeFileSync(join(webDir, 'index.html'), page);
  const site = staticSite({
    webDir,
    media: () => undefined,
    headers: { pages: [], files: [] },
    metrics: { countRequest: () => {} },
    firstAnswer: () => answer,
    headOf: (path) => (path === '/foo' || path === '/' ? head : undefined),
    originOf: () => 'https://hoops.example',
  });
  const started = createServer(express().use(site));
  server = started;
  await new Promise<void>((resolve) => {
    started.listen(0, '127.0.0.1', resolve);
  });
  base = `http://127.0.0.1:${String((started.address() as AddressInfo).port)}`;
});
afterAll(() => {
  server?.close();
  rmSync(webDir, { recursive: true });
});

const embedded = (html: string): unknown => JSON.parse(/<script type="application\/json" id="first-answer">(.*)<\/script><\/head>/s.exec(html)?.[1] ?? 'null');

it('puts the first answer into the landing page, and nothing in it can end the element', async () => {
  answer = { address: '/tournaments/', position: '12', json: JSON.stringify({ name: '</script><script>alert(1)</script>$& $1' }) };
  const response = await fetch(base);
  const html = await response.text();
  expect(embedded(html)).toEqual({ address: '/tournaments/', position: '12', answer: { name: '</script><script>alert(1)</script>$& $1' } });
  expect(html.match(/<script/g)).toHaveLength(1);
  const again = await fetch(base, { headers: { 'If-None-Match': response.headers.get('etag') ?? '' } });
  expect(again.status).toBe(304);
  answer = { ...answer, position: '13' };
  expect((await fetch(base, { headers: { 'If-None-Match': response.headers.get('etag') ?? '' } })).status).toBe(200);
});

it('says what a page is about where no script runs, and no name can leave its place', async () => {
  answer = undefined;
  head = { title: '"><script>alert(1)</script> & $&', description: "Kings' day", image: '/media/a.jpg' };
  const response = await fetch(`${base}/foo`);
  expect(await response.text()).toBe(
    '<!doctype html><html><head><title>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; $&amp; · CourtLedger</title><meta name="description" content="Kings&#39; day" />' +
      '<meta property="og:title" content="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; $&amp; · CourtLedger" /><meta property="og:description" content="Kings&#39; day" />' +
      '<meta property="og:url" content="https://hoops.example/foo" /><meta property="og:image" content="https://hoops.example/media/a.jpg" /></head><body></body></html>',
  );
  expect((await fetch(`${base}/foo`, { headers: { 'If-None-Match': response.headers.get('etag') ?? '' } })).status).toBe(304);
  head = { title: 'Another' };
  expect((await fetch(`${base}/foo`, { headers: { 'If-None-Match': response.headers.get('etag') ?? '' } })).status).toBe(200);
  answer = { address: '/tournaments/', position: '12', json: '[]' };
  const landing = await (await fetch(base)).text();
  expect([landing.match(/<title>/g)?.length, landing.includes('<title>Another · CourtLedger</title>'), embedded(landing)]).toEqual([
    1,
    true,
    { address: '/tournaments/', position: '12', answer: [] },
  ]);
  head = undefined;
});

it('sends a file beside the page, and the page where there is none', async () => {
  mkdirSync(join(webDir, '.vite'));
  writeFileSync(join(webDir, '.vite/manifest.json'), '{"secret":1}');
  writeFileSync(join(webDir, 'icon.svg'), '<svg/>');
  expect(await (await fetch(`${base}/icon.svg`)).text()).toBe('<svg/>');
  for (const path of ['/favicon.ico', '/robots.txt', '/foo/bar.png', '/player/x.png', '/.vite/manifest.json']) {
    const response = await fetch(base + path);
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([200, 'text/html; charset=utf-8', page]);
  }
});

it('leaves every other page as it was built, and the landing page while there is no answer or a long one', async () => {
  expect(await (await fetch(`${base}/events`)).text()).toBe(page);
  answer = { address: '/tournaments/', position: '12', json: JSON.stringify('x'.repeat(20_000)) };
  expect(await (await fetch(base)).text()).toBe(page);
  answer = undefined;
  expect(await (await fetch(base)).text()).toBe(page);
});

it('that cannot read a file of the build is a failure, and says nothing of the file', async () => {
  mkdirSync(join(webDir, 'assets'));
  // What no `open` opens, as any file where too many are open already.
  const unreadable = createServer().listen(join(webDir, 'assets/index-abc.js'));
  await once(unreadable, 'listening');
  const response = await fetch(`${base}/assets/index-abc.js`);
  await response.text();
  unreadable.close();
  expect([response.status, response.headers.get('cache-control'), response.headers.get('vary')]).toEqual([500, null, null]);
  expect((await fetch(`${base}/assets/index-gone.js`)).status).toBe(404);
});

it.each(['/media/x.jpg', '/assets/index-gone.js', '/events'])('%s takes no other method than reading', async (path) => {
  const response = await fetch(base + path, { method: 'POST' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

it('does not say that there is no such picture while the site is starting', async () => {
  const response = await fetch(`${base}/media/${'a'.repeat(24)}.jpg`);
  expect([response.status, response.headers.get('retry-after'), response.headers.get('cache-control')]).toEqual([503, '2', 'no-store']);
});
