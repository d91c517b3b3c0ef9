// Loaded first by whatever runs TypeScript: a plain sentence instead of a crash where Node is too old for it, or nothing is installed yet.
import { existsSync } from 'node:fs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const first = 'Run "npm start" or "npm ci" first';
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`This needs Node 22.18 or newer, and this is ${process.version}. ${first} (that brings its own Node on Linux x64).`);
  process.exit(1);
}
if (!existsSync(new URL('../node_modules', import.meta.url))) {
  console.error(`The packages are not installed yet. ${first}.`);
  process.exit(1);
}
