import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Set by the run: the folder with the threads that it built. */
export const threadsVariable = 'STOA_TEST_THREADS';

/**
 * The thread that a store's writer runs in, as the run built it: its sources are hundreds of files, which each thread would load
 * anew. Without a run these are what is started.
 */
export function threadOf(source: URL): URL {
  const built = process.env[threadsVariable];
  return built === undefined ? source : pathToFileURL(join(built, `${basename(source.pathname, '.ts')}.cjs`));
}
