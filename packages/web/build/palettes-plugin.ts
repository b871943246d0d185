import type { Plugin } from 'vite';
import { palettesCss } from '../src/themes/palettes.ts';

const location = '/* @palettes */';

/**
 * Inserts the palettes into `themes.css`, so that the page has its colours with its first style sheet, before any
 * script.
 */
export function palettesPlugin(): Plugin {
  return {
    name: 'stoa-palettes',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/themes\/themes\.css$/ },
      handler: (code) => {
        if (!code.includes(location)) throw new Error(`themes.css has no ${location}`);
        return code.replace(location, palettesCss());
      },
    },
  };
}
