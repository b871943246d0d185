import type { Plugin } from 'vite';

/** Chromium honours the hint only in the first line of a file. */
const hint = '//# allFunctionsCalledOnLoad\n';

/**
 * Most of the first chunk runs before the first page is shown. With this hint, a browser that supports it compiles the
 * whole chunk off the main thread. Added last, because the minifier would remove it, and Vite prepends its table of
 * chunks.
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
