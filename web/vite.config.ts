import react from '@vitejs/plugin-react';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const api = `http://127.0.0.1:${process.env['PORT'] ?? '8080'}`;

/**
 * The face of the titles is asked for by the page itself, before any style sheet has been read. The face of the text is not: on a slow line it
 * would stand in the way of the script that paints (measured: 0.4 s), and its stand-in has the same widths.
 */
const preloadFonts = (): Plugin => ({
  name: 'courtledger:preload-fonts',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) => {
      const files = Object.keys(bundle ?? {}).filter((file) => /saira-extra-condensed-latin-700[^/]*\.woff2$/.test(file));
      return {
        html,
        tags: files.map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
          injectTo: 'head' as const,
        })),
      };
    },
  },
});

/** Writes `.br` and `.gz` beside every text asset, once, at the best setting: the server only has to send them. */
const precompress = (): Plugin => ({
  name: 'courtledger:precompress',
  apply: 'build',
  enforce: 'post',
  // After writing: until then Vite still rewrites what its chunks import.
  async writeBundle({ dir = '' }, bundle) {
    const texts = Object.keys(bundle).filter((file) => /\.(js|css|svg)$/.test(file));
    await Promise.all(
      texts.map(async (file) => {
        const path = join(dir, file);
        const bytes = await readFile(path);
        const [br, gz] = await Promise.all([
          promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
          promisify(gzip)(bytes, { level: 9 }),
        ]);
        await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
      }),
    );
  },
});

export default defineConfig({
  plugins: [react(), preloadFonts(), precompress()],
  server: { host: '127.0.0.1', port: Number(process.env['WEB_PORT'] ?? 5173), strictPort: true, proxy: { '/api': api, '/media': api } },
  build: {
    manifest: true,
    // Drawings stay files of their own: cached for good, and not in the way of the first script.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom|@tanstack)[\\/]/ }] },
      },
    },
  },
});
