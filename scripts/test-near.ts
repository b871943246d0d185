/**
 * Runs the test files that a change affects, in about a minute: tests that import changed files, and black-box tests of
 * the same resources, on SQLite and disk. Random tests try a tenth of the cases of `npm test`.
 *
 *   npm run test:near                   changes since the branch left main, committed or not
 *   npm run test:near -- --since REV    since another revision
 */
import { parseArgs } from 'node:util';
import { scaleVariable } from '../tests/support/random.ts';
import { planNear } from './testing/plan-near.ts';
import { filesAtOnce } from './testing/plan-rounds.ts';
import { runRounds } from './testing/run-rounds.ts';

const namesMax = 12;
process.env[scaleVariable] ??= '0.1';

const { values } = parseArgs({ options: { since: { type: 'string' } } });
const { since, changed, resources, chosen, left, unreached } = await planNear(values.since);

if (changed.length === 0) {
  console.log(`Nothing changed since ${since.slice(0, 12)}.`);
  console.log('0 passed, 0 failed, 0 skipped');
} else {
  const about = resources.length === 0 ? '' : `, about: ${resources.join(', ')}`;
  console.log(`Changed since ${since.slice(0, 12)}: ${namesOf(changed)}${about}`);
  if (unreached.length > 0) console.log(`No known test file for: ${namesOf(unreached)}`);
  if (left.length > 0) console.log(`Skipped to stay within a minute, see npm test: ${namesOf(left)}`);
  console.log(`${chosen.length} of ${chosen.length + left.length} affected test files:`);
  if (chosen.length > 0) {
    const round = {
      says: 'near',
      backEnd: 'sqlite-disk',
      files: chosen,
      inParallel: [],
      inParallelAtOnce: 0,
      atOnce: filesAtOnce,
      variables: {},
    } as const;
    await runRounds([round], { titles: false });
  } else {
    console.log('0 passed, 0 failed, 0 skipped');
  }
}

function namesOf(files: readonly string[]): string {
  const named = files.slice(0, namesMax).join(', ');
  return files.length > namesMax ? `${named} and ${files.length - namesMax} more` : named;
}
