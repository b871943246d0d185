import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compileHint } from './build/compile-hint.ts';
import { listModules } from './build/list-modules.ts';
import { palettesPlugin } from './build/palettes-plugin.ts';

/** The server replaces this in each document that it sends. */
const noncePlaceholder = '{{nonce}}';

const characterNames = 'decode-named-character-reference';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [palettesPlugin(), react(), listModules(join(import.meta.dirname, '../..')), compileHint()],
  html: { cspNonce: noncePlaceholder },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    manifest: true,
    assetsInlineLimit: 0,
    // Sizes are held by test/size-budgets.test.ts.
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // One file for the start of every page: twenty small files are larger, and are requested one by one.
            { name: 'start', tags: ['$initial'] },
            // The pure engine with its parts. A page that only shows texts does not need it.
            { name: 'saving', test: /\/src\/saving\/(?:api-responses|messages|open|save-state|step)\.ts$/ },
            { name: 'saving-drafts', test: /\/src\/saving\/drafts\.ts$/ },
          ],
        },
      },
    },
  },
  // The markdown parser runs in a worker, where the variant for pages finds no document to decode names with.
  resolve: { alias: { [characterNames]: fileURLToPath(import.meta.resolve(characterNames)) } },
  worker: { format: 'es' },
});
