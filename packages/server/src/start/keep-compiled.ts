// docs/speed.md
import { existsSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const libraries = join(import.meta.dirname, '../../../../node_modules');

/**
 * Enables V8's compile cache for this process and its threads. The cache contains code, so it is next to the libraries,
 * writable only by accounts that could change those. Without write access the server starts without it.
 */
export function keepCompiled(): void {
  // The environment already selects a cache.
  if (process.env.NODE_COMPILE_CACHE !== undefined || !existsSync(libraries)) return;
  const folder = join(libraries, '.cache/compiled');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return;
  }
  enableCompileCache(folder);
  // Threads use only this variable.
  process.env.NODE_COMPILE_CACHE = folder;
}
