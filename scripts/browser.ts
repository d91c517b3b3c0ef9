import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { messageOf } from '@courtledger/contracts/kernel/errors';
import { chromium } from '@playwright/test';

// The shell first: the same engine without the windows that nobody sees, for two thirds of the work.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge'];
const fixed = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
  'C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe',
];

/** A Chromium that starts, or undefined. Order: $CHROMIUM_PATH, Playwright's own, the system's. */
export function findBrowser(): string | undefined {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).flatMap((dir) => names.map((name) => join(dir, name)));
  const all = [process.env['CHROMIUM_PATH'] ?? '', chromium.executablePath(), ...onPath, ...fixed];
  return all.find((path) => path !== '' && existsSync(path) && spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0);
}

/** Finds or installs a browser; says which. */
function ensureBrowser(): string {
  const attempts: [string, string[]][] = [];
  if (process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    attempts.push(['apt-get', ['update']]);
    for (const name of ['chromium-headless-shell', 'chromium'])
      attempts.push(['apt-get', ['install', '-y', '--no-install-recommends', name, 'fonts-liberation', 'fonts-lohit-deva']]);
  }
  let found = findBrowser();
  for (const [command, args] of attempts) {
    if (found) break;
    console.log(`No Chromium yet: ${command} ${args.join(' ')}`);
    try {
      execFileSync(command, args, { stdio: 'inherit', timeout: 300_000, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
    } catch (error) {
      console.log(`  did not work: ${messageOf(error)}`);
    }
    found = findBrowser();
  }
  if (!found) throw new Error('No Chromium was found, and none could be installed: run npx playwright install chromium, or set CHROMIUM_PATH');
  return found;
}

if (process.argv[1] === import.meta.filename) {
  try {
    console.log(ensureBrowser());
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = 1;
  }
}
