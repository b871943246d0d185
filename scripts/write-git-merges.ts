/**
 * Writes the results of `git merge-file` for the cases that core's merge is compared with: `npx -c 'node
 * scripts/write-git-merges.ts'`. Needs git and takes minutes. Run it after a change to the cases.
 */
import { writeFile } from 'node:fs/promises';
import { comparedCases, gitMergesFile, mergeLine } from '../packages/core/test/merge/git-merges.ts';
import { gitMerges } from '../packages/core/test/merge/run-git-merge.ts';

const cases = comparedCases();
const merges = await gitMerges(cases);
await writeFile(gitMergesFile, cases.map((each, i) => `${mergeLine(each, merges[i] ?? null)}\n`).join(''));
const clean = merges.filter((merged) => merged !== null).length;
console.log(`${cases.length} cases, ${clean} of them clean`);
