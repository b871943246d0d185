import { fileNameOf, type WordList, type WorkspacePath, wordListOf, wordsOf } from '@stoa/core';

export interface PathWords {
  readonly path: WordList;
  readonly name: WordList;
}

/** Some 40 MB. */
const keptMax = 200_000;
const kept = new Map<WorkspacePath, PathWords>();

/** Returns the words of a path and of its last segment, which every search asks for again. */
export function pathWordsOf(path: WorkspacePath): PathWords {
  const known = kept.get(path);
  if (known !== undefined) return known;
  const made = { path: wordListOf(wordsOf(path)), name: wordListOf(wordsOf(fileNameOf(path))) };
  if (kept.size >= keptMax) kept.clear();
  kept.set(path, made);
  return made;
}
