import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testScale } from '../../tests/support/random.ts';

/** What this machine measured, by file. Committed are only the long ones, for machines that measured nothing yet. */
const measuredPlace = fileURLToPath(
  new URL('../../node_modules/.cache/test-durations.json', import.meta.url),
);
const longFilesPlace = fileURLToPath(new URL('long-files.json', import.meta.url));
const usualSeconds = 2;

type Seconds = Readonly<Record<string, number>>;

/** How long each file takes, as far as is known: for their order and for what fits into a minute. */
export async function readDurations(): Promise<(file: string) => number> {
  const [long, measured] = await Promise.all([longFilesPlace, measuredPlace].map(readSeconds));
  return (file) => measured?.[keyOf(file)] ?? long?.[file] ?? usualSeconds;
}

/** Remembers what was measured, here alone. */
export async function keepDurations(results: readonly { file: string; seconds: number }[]): Promise<void> {
  const earlier = await readSeconds(measuredPlace);
  const latest = results.map(({ file, seconds }) => [keyOf(file), Math.round(seconds * 10) / 10]);
  await mkdir(dirname(measuredPlace), { recursive: true });
  await writeFile(
    measuredPlace,
    `${JSON.stringify({ ...earlier, ...Object.fromEntries(latest) }, null, 1)}\n`,
  );
}

/** Random tests that try less often are other tests, as far as their time goes. */
function keyOf(file: string): string {
  return testScale() < 1 ? `${file} (short)` : file;
}

async function readSeconds(place: string): Promise<Seconds> {
  const text = await readFile(place, 'utf8').catch(() => '{}');
  const read: unknown = JSON.parse(text);
  if (typeof read !== 'object' || read === null) return {};
  return Object.fromEntries(
    Object.entries(read).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
