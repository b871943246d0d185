import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The calls by which tests name what they verify. */
const claim = /\bclaims\(\s*(\[[^\]]*\]|'[^']*')/g;
const anyCall = /\bclaims\(/g;
const comment = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** Which test files claim which requirement ids. */
export interface Claims {
  readonly filesById: ReadonlyMap<string, readonly string[]>;
  readonly tests: number;
}

/**
 * Reads the ids that the test sources below a folder name in `claims(…)`, except in comments.
 * @throws when a call has no literal id, because its requirement could not be counted.
 */
export async function readClaims(folder: string): Promise<Claims> {
  const filesById = new Map<string, string[]>();
  let tests = 0;
  const names = await readdir(folder, { recursive: true });
  for (const name of names.filter((each) => each.endsWith('.test.ts')).sort()) {
    const source = (await readFile(join(folder, name), 'utf8')).replace(comment, '');
    const claims = [...source.matchAll(claim)];
    const calls = [...source.matchAll(anyCall)].length;
    if (calls !== claims.length) throw new Error(`${name}: a test names no requirement literally`);
    tests += claims.length;
    for (const [, ids = ''] of claims) {
      for (const [, id = ''] of ids.matchAll(/'([^']+)'/g)) {
        filesById.set(id, [...new Set([...(filesById.get(id) ?? []), name])]);
      }
    }
  }
  return { filesById, tests };
}
