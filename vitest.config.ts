import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    coverage: { provider: 'v8', include: ['*/src/**/*.{ts,tsx}'], reporter: ['text-summary'] },
    projects: [
      { test: { name: 'server', environment: 'node', include: ['{contracts,projections,services}/src/**/*.test.ts'] } },
      { extends: './web/vite.config.ts', test: { name: 'web', root: './web', environment: 'jsdom', include: ['src/**/*.test.{ts,tsx}'], setupFiles: ['./test/setup.ts'], css: false } },
    ],
  },
});
