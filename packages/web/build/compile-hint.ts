import type { Plugin } from 'vite';

/** Chromium heeds it before everything else in a file alone, as its first line. */
const hint = '//# allFunctionsCalledOnLoad\n';

/**
 * Most of the first chunk runs before a page is there: a browser that knows the hint compiles it whole, and beside the
 * page's own thread. Written last of all: the minifier would take it out, and Vite puts its table of chunks before it.
 */
export function compileHint(): Plugin {
  return {
    name: 'stoa-compile-hint',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler: (_options, bundle) => {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type === 'chunk' && chunk.isEntry) chunk.code = hint + chunk.code;
        }
      },
    },
  };
}
