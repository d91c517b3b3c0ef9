import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const api = `http://127.0.0.1:${process.env['PORT'] ?? '8080'}`;
export default defineConfig({
  plugins: [react()],
  server: { host: '127.0.0.1', port: Number(process.env['WEB_PORT'] ?? 5173), strictPort: true, proxy: { '/api': api, '/media': api } },
  build: { manifest: true },
});
