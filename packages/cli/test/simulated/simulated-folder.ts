import type { LocalFolder } from '../../src/engine/ports/local-folder.ts';
import { changingOnDisk } from './folder/changing.ts';
import { readingOnDisk } from './folder/reading.ts';
import { removingOnDisk } from './folder/removing.ts';
import { openLocation, type SimulatedFolderOptions } from './folder/simulated-location.ts';
import { stagingOnDisk } from './folder/staging.ts';

/** A folder on a simulated disk, which passes the suite of the real one. The disk's root is the folder's. */
export function createSimulatedFolder(options: SimulatedFolderOptions): LocalFolder {
  const location = openLocation(options);
  return {
    ...readingOnDisk(location),
    ...stagingOnDisk(location),
    ...changingOnDisk(location),
    ...removingOnDisk(location),
    [Symbol.asyncDispose]: async () => {},
  };
}
