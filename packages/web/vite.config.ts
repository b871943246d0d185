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
            // What every page begins with is one file: in twenty small ones it is larger, and asked for one by one.
            { name: 'start', tags: ['$initial'] },
            // The pure engine, with what it is made of: the page of a person's texts needs none of it.
            { name: 'saving', test: /\/src\/saving\/(?:api-answers|messages|open|save-state|step)\.ts$/ },
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
