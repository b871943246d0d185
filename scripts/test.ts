/**
 * Runs every test file and closes with the line `N passed, N failed, N skipped`.
 *
 *   npm test                      everything
 *   npm test -- feed storage      only files whose path contains one of the words
 *
 * A skipped test is named with its reason. In CI (`CI=true`) a skip is a failure: nothing there may be left out.
 */
import { glob } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const patterns = ['packages/*/test/**/*.test.ts', 'tests/**/*.test.ts'];
const words = process.argv.slice(2);
const files = (await Array.fromAsync(glob(patterns)))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort();
if (files.length === 0) {
  console.error(`no test file matches ${words.join(', ')}`);
  process.exit(2);
}

const counts = { passed: 0, failed: 0, skipped: 0 };
const skips: string[] = [];
const stream = run({ files, concurrency: Math.min(2, availableParallelism()), timeout: 15 * 60_000 });
stream.on('test:pass', ({ name, skip, todo, details, file }) => {
  if (details.type === 'suite') return;
  if (skip !== undefined || todo !== undefined) {
    counts.skipped += 1;
    skips.push(`${file ?? ''}: ${name} (${skip || todo || 'no reason given'})`);
  } else {
    counts.passed += 1;
  }
});
stream.on('test:fail', ({ details }) => {
  if (details.type !== 'suite') counts.failed += 1;
  process.exitCode = 1;
});
for await (const text of stream.compose(spec)) process.stdout.write(text);

for (const skip of skips) console.log(`skipped: ${skip}`);
if (skips.length > 0 && process.env.CI === 'true') {
  console.log('In CI a skipped test is a failure.');
  process.exitCode = 1;
}
if (counts.passed + counts.failed === 0) process.exitCode = 1;
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
