import { describe } from 'node:test';
import { arrivingSuite } from './suite/arriving.ts';
import { guardingSuite } from './suite/guarding.ts';
import type { FolderSuiteOptions, OpenedFolder } from './suite/opened-folder.ts';
import { readingSuite } from './suite/reading.ts';
import { removingSuite } from './suite/removing.ts';
import { renamingSuite } from './suite/renaming.ts';
import { replacingSuite } from './suite/replacing.ts';

/** Behaviour of every local folder. `open` returns an empty linked folder. */
export function localFolderSuite(
  name: string,
  options: FolderSuiteOptions,
  open: () => Promise<OpenedFolder>,
): void {
  const context = { ...options, open };
  describe(name, () => {
    readingSuite(context);
    arrivingSuite(context);
    replacingSuite(context);
    renamingSuite(context);
    removingSuite(context);
    guardingSuite(context);
  });
}
