import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folders = ['node_modules', 'docs', 'packages', 'tests'];
const endings = /\.(md|[cm]?[jt]s|css)$/;
const fileBytesMax = 400 * 1024;

/** A text written by people, with a path of its own. */
export interface RealText {
  readonly path: string;
  readonly bytes: Buffer;
}

/**
 * Reads prose and code of this project and of its packages: all different, the largest up to 400 KiB first. They have
 * the wide vocabulary of real texts of that size.
 */
export async function readRealTexts(count: number): Promise<readonly RealText[]> {
  const sized: { readonly path: string; readonly size: number }[] = [];
  for (const folder of folders) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      if (!entry.isFile() || !endings.test(entry.name)) continue;
      const path = join(entry.parentPath, entry.name);
      const { size } = await stat(path);
      if (size > 0 && size <= fileBytesMax) sized.push({ path, size });
    }
  }
  sized.sort((a, b) => b.size - a.size || (a.path < b.path ? -1 : 1));
  const seen = new Set<string>();
  const texts: RealText[] = [];
  for (const { path } of sized) {
    if (texts.length >= count) break;
    const bytes = await readFile(path);
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (seen.has(hash)) continue;
    seen.add(hash);
    texts.push({ path: path.slice(root.length), bytes });
  }
  if (texts.length < count) throw new Error(`found only ${texts.length} texts`);
  return texts.sort((a, b) => (a.path < b.path ? -1 : 1));
}
