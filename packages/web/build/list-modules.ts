import { relative, sep } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Writes `.vite/modules.json` next to Vite's manifest: the modules of each chunk, by their path in the repository. The
 * bundle size tests read both; the server serves neither file.
 */
export function listModules(root: string): Plugin {
  return {
    name: 'stoa-list-modules',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((chunk) =>
        chunk.type === 'chunk' ? [[chunk.fileName, chunk.moduleIds.map(locationOf)]] : [],
      );
      const source = JSON.stringify(Object.fromEntries(modules), null, 1);
      this.emitFile({ type: 'asset', fileName: '.vite/modules.json', source });
    },
  };

  function locationOf(id: string): string {
    return relative(root, id.split('?', 1)[0] ?? id).replaceAll(sep, '/');
  }
}
