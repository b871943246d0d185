/**
 * Runs test files and closes with the line `N passed, N failed, N skipped`.
 *
 *   npm test                      ring 1, on SQLite and disk: needs npm only.
 *   npm run test:backends         ring 2: the other back ends, the app in a browser, installations.
 *   npm run test:all              rings 1 to 3, one after the other.
 *   npm test -- feed storage      only files whose path contains one of the words, on SQLite and disk.
 *   STOA_TEST_BACKEND=postgres-s3 npm test -- feed
 *                                 the black-box tests on that back end: sqlite-disk, postgres-disk or postgres-s3.
 *
 * Each skipped test is printed with its reason. In CI (`CI=true`) a skip is a failure.
 */
import { parseArgs } from 'node:util';
import { planRing, planSome, rings } from './testing/plan-rounds.ts';
import { runRounds } from './testing/run-rounds.ts';

const { values, positionals: words } = parseArgs({
  options: { ring: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const ring = rings.find((each) => String(each) === values.ring);
if (ring === undefined) {
  console.error(`--ring is ${rings.join(', ')}, not ${values.ring}`);
  process.exit(2);
}
const isSome = words.length > 0 || process.env.STOA_TEST_BACKEND || process.env.STOA_TEST_URL;
const rounds = isSome ? [await planSome(words)] : await planRing(ring);
if (rounds.some(({ files, inParallel }) => files.length + inParallel.length === 0)) {
  console.error(`no test file matches ${words.join(', ')}`);
  process.exit(2);
}
await runRounds(rounds, { titles: words.length > 0 });
