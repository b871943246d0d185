import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { palettesPlugin } from './build/palettes-plugin.ts';

/** The server replaces this in each document that it sends. */
const noncePlaceholder = '{{nonce}}';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [palettesPlugin(), react()],
  html: { cspNonce: noncePlaceholder },
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2023', manifest: true, assetsInlineLimit: 0 },
  worker: { format: 'es' },
});
