import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { generatedCases } from './generated-cases.ts';
import { handWrittenCases } from './hand-written-cases.ts';
import type { MergeCase } from './merge-case.ts';

/** Results of `git merge-file`, one line for each case, written by `scripts/write-git-merges.ts`. */
export const gitMergesFile = new URL('git-merges.txt', import.meta.url);

/** The cases that were compared: the same ones each time. */
export function comparedCases(): readonly MergeCase[] {
  return [...handWrittenCases, ...generatedCases(20_261_122)];
}

/** A merge in one line: which case it is of, and the merged text's hash or that there was a conflict. */
export function mergeLine(each: MergeCase, merged: string | null): string {
  return `${hashOf(JSON.stringify([each.base, each.mine, each.theirs]))} ${merged === null ? 'conflict' : hashOf(merged)}`;
}

export async function readGitMerges(): Promise<readonly string[]> {
  return (await readFile(gitMergesFile, 'utf8')).trimEnd().split('\n');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
