/**
 * Runs test files and closes with the line `N passed, N failed, N skipped`.
 *
 *   npm test                      all tests on SQLite and disk, then the black-box tests on each other back end.
 *   npm test -- feed storage      only files whose path contains one of the words, on SQLite and disk.
 *   STOA_TEST_BACKEND=postgres-s3 npm test -- feed
 *                                 the black-box tests on that back end: sqlite-disk, postgres-disk or postgres-s3.
 *
 * Each skipped test is printed with its reason. In CI (`CI=true`) a skip is a failure.
 */
import { planAll, planSome } from './testing/plan-rounds.ts';
import { runRounds } from './testing/run-rounds.ts';

const words = process.argv.slice(2);
const isSome = words.length > 0 || process.env.STOA_TEST_BACKEND || process.env.STOA_TEST_URL;
const rounds = isSome ? [await planSome(words)] : await planAll();
if (rounds.some(({ files }) => files.length === 0)) {
  console.error(`no test file matches ${words.join(', ')}`);
  process.exit(2);
}
await runRounds(rounds, { titles: words.length > 0 });
