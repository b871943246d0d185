import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Set by the run: the folder with the threads that it built. */
export const threadsVariable = 'STOA_TEST_THREADS';

/**
 * The writer thread of a store, as the run built it. Its sources are hundreds of files, which each thread would
 * load again. Without a run the sources are started.
 */
export function threadOf(source: URL): URL {
  const built = process.env[threadsVariable];
  return built === undefined ? source : pathToFileURL(join(built, `${basename(source.pathname, '.ts')}.cjs`));
}
