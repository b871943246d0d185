import fc from 'fast-check';
import { foldersAbove, parseWorkspacePath, type WorkspacePath } from '../../../src/index.ts';

/** Few characters, so that they repeat; of each kind that ranking or folding knows. */
const characters = ['a', 'b', 'A', 'B', '1', '-', ' ', '.', 'ß', 'é', '😀', '界'];
const character = fc.constantFrom(...characters);

const name = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: character, minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constant('.keep') },
);

export const path: fc.Arbitrary<WorkspacePath> = fc
  .array(
    name.filter((text) => !/^\.{1,2}$/.test(text)),
    { minLength: 1, maxLength: 4 },
  )
  .map((segments) => parseWorkspacePath(segments.join('/')));

/** As a workspace can be: no path is a file and a folder. */
export const fileSet: fc.Arbitrary<readonly WorkspacePath[]> = fc
  .uniqueArray(path, { maxLength: 40 })
  .map((paths) => {
    const folders = new Set(paths.flatMap(foldersAbove));
    return paths.filter((file) => !folders.has(file));
  });

export const query = fc
  .string({ unit: fc.constantFrom(...characters, '/', 'ẞ', 'É'), minLength: 1, maxLength: 5 })
  .filter((text) => text.trim() !== '');
