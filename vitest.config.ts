import { defineConfig } from 'vitest/config';

// Fault tests share their code between `npm test` (small counts) and `npm run test:faults` (FAULTS=full, the figures of the faults list).
const full = process.env['FAULTS'] === 'full';
export default defineConfig({
  test: {
    coverage: { provider: 'v8', include: ['*/src/**/*.{ts,tsx}'], reporter: ['text-summary'] },
    projects: [
      { test: { name: 'server', environment: 'node', include: ['{contracts,projections,services}/src/**/*.test.ts', 'scripts/**/*.test.ts'], exclude: ['**/*.faults.test.ts', '**/node_modules/**'], testTimeout: 30_000, hookTimeout: 30_000 } },
      { test: { name: 'faults', environment: 'node', include: ['{contracts,projections,services}/src/**/*.faults.test.ts'], testTimeout: full ? 900_000 : 120_000, hookTimeout: 60_000, fileParallelism: false } },
      { extends: './web/vite.config.ts', test: { name: 'web', root: './web', environment: 'jsdom', include: ['src/**/*.test.{ts,tsx}'], setupFiles: ['./test/setup.ts'], css: false, testTimeout: 20_000 } },
    ],
  },
});
