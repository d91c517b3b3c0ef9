// Loaded first by whatever runs TypeScript: a plain sentence instead of a crash where Node is too old for it, or nothing is installed yet.
import { existsSync } from 'node:fs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isInstalled = existsSync(new URL('../node_modules', import.meta.url));
const first = 'Run "npm start" or "npm ci" first';
// Elsewhere than on Linux x64 an installation brings none, and where it is done it has brought what it can.
const wayOut = !isInstalled && process.platform === 'linux' && process.arch === 'x64' ? `${first}: that brings its own Node.` : 'Install a newer Node.';
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`This needs Node 22.18 or newer, and this is v${process.versions.node}. ${wayOut}`);
  process.exit(1);
}
if (!isInstalled) {
  console.error(`The packages are not installed yet. ${first}.`);
  process.exit(1);
}
