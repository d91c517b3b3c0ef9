import { cpus, loadavg } from 'node:os';
import { chromium, type Browser } from '@playwright/test';
import { findBrowser } from '../browser.ts';
import { discard, startWithSeason } from './stage.ts';

/**
 * `node scripts/bench/first-paint.ts [runs]`: how soon the landing page stands on a slow phone: 1.6 Mbit/s down, 750 kbit/s up, 150 ms, the processor
 * four times slower, a cold cache. Prints each run and the medians of largest paint and layout shift. Exits 1 above the limits.
 */
const limits = { largestPaintMs: 2000, layoutShift: 0.05 } as const;
const network = { offline: false, latency: 150, downloadThroughput: (1.6 * 1e6) / 8, uploadThroughput: 750_000 / 8 };
const slower = 4;
/** No new largest paint for this long: the one before was the last. */
const quietMs = 1500;

type Paint = { readonly firstMs: number; readonly largestMs: number; readonly what: string; readonly shift: number };

const observe = `window.seen = { first: 0, largest: 0, what: '', shift: 0, at: 0 };
new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (entry.name === 'first-contentful-paint') window.seen.first = entry.startTime; }).observe({ type: 'paint', buffered: true });
new PerformanceObserver((list) => { for (const entry of list.getEntries()) { window.seen.largest = entry.startTime; window.seen.what = entry.element ? entry.element.tagName + '.' + entry.element.className : ''; window.seen.at = performance.now(); } }).observe({ type: 'largest-contentful-paint', buffered: true });
new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.seen.shift += entry.value; }).observe({ type: 'layout-shift', buffered: true });`;

const measure = async (browser: Browser, address: string): Promise<Paint> => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
  try {
    const page = await context.newPage();
    await page.addInitScript(observe);
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', network);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
    await page.goto(address, { waitUntil: 'load' });
    await page.evaluate(
      `new Promise((resolve) => { const look = () => { if (window.seen.largest > 0 && performance.now() - window.seen.at > ${String(quietMs)}) resolve(); else setTimeout(look, 50); }; look(); })`,
    );
    const seen = await page.evaluate<{ first: number; largest: number; what: string; shift: number }>('window.seen');
    return { firstMs: seen.first, largestMs: seen.largest, what: seen.what, shift: seen.shift };
  } finally {
    await context.close();
  }
};

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const runs = Number(process.argv[2] ?? '5');
const stage = await startWithSeason();
const executablePath = findBrowser();
const browser = await chromium.launch({ ...(executablePath !== undefined && { executablePath }), args: ['--disable-gpu'] });
try {
  const address = `http://127.0.0.1:${String(stage.port)}/`;
  console.log(`${String(cpus().length)} processors, load ${loadavg()[0]?.toFixed(1) ?? ''}: other work on this machine slows every figure`);
  const paints: Paint[] = [];
  for (let run = 0; run < runs; run += 1) {
    const paint = await measure(browser, address);
    paints.push(paint);
    console.log(
      `run ${String(run + 1)}: first paint ${paint.firstMs.toFixed(0)} ms, largest ${paint.largestMs.toFixed(0)} ms (${paint.what}), layout shift ${paint.shift.toFixed(3)}`,
    );
  }
  const largest = median(paints.map((paint) => paint.largestMs));
  const shift = median(paints.map((paint) => paint.shift));
  console.log(
    `first-paint: median of ${String(runs)}: largest paint ${largest.toFixed(0)} ms (at most ${String(limits.largestPaintMs)}), layout shift ${shift.toFixed(3)} (at most ${String(limits.layoutShift)})`,
  );
  if (!(largest <= limits.largestPaintMs && shift <= limits.layoutShift)) process.exitCode = 1;
} finally {
  await browser.close();
  await stage.stop();
  discard(stage);
}
