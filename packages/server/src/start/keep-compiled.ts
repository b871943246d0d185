// docs/decisions/0068-the-server-keeps-what-was-compiled.md
import { existsSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const libraries = join(import.meta.dirname, '../../../../node_modules');

/**
 * Keeps what V8 makes of the modules of this process and its threads for the next start. It is code, so it lies beside the
 * libraries, where nobody may write who could not change those. Without that right the server starts without.
 */
export function keepCompiled(): void {
  // Somebody chose a place, or none.
  if (process.env.NODE_COMPILE_CACHE !== undefined || !existsSync(libraries)) return;
  const folder = join(libraries, '.cache/compiled');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return;
  }
  enableCompileCache(folder);
  // Threads go by this alone.
  process.env.NODE_COMPILE_CACHE = folder;
}
