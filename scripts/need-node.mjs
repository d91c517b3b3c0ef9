// Loaded first by "npm start": a plain sentence instead of a crash where the bundled Node is missing.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`This needs Node 22.18 or newer, and this is ${process.version}. Run "npm start" (it brings its own Node on Linux x64).`);
  process.exit(1);
}
