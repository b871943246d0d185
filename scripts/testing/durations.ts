import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testScale } from '../../tests/support/random.ts';

/** Durations by file, measured on this machine. Only those of long files are committed, for machines without any. */
const measuredLocation = fileURLToPath(
  new URL('../../node_modules/.cache/test-durations.json', import.meta.url),
);
const longFilesLocation = fileURLToPath(new URL('long-files.json', import.meta.url));
const usualSeconds = 2;

type Seconds = Readonly<Record<string, number>>;

/** Reads the known durations of files, for their order and for the selection that fits into a minute. */
export async function readDurations(): Promise<(file: string) => number> {
  const [long, measured] = await Promise.all([longFilesLocation, measuredLocation].map(readSeconds));
  return (file) => measured?.[keyOf(file)] ?? long?.[file] ?? usualSeconds;
}

/** Stores measured durations on this machine only. */
export async function keepDurations(results: readonly { file: string; seconds: number }[]): Promise<void> {
  const earlier = await readSeconds(measuredLocation);
  const latest = results.map(({ file, seconds }) => [keyOf(file), Math.round(seconds * 10) / 10]);
  await mkdir(dirname(measuredLocation), { recursive: true });
  await writeFile(
    measuredLocation,
    `${JSON.stringify({ ...earlier, ...Object.fromEntries(latest) }, null, 1)}\n`,
  );
}

/** Returns the key of a file. Random tests with fewer cases have durations of their own. */
function keyOf(file: string): string {
  return testScale() < 1 ? `${file} (short)` : file;
}

async function readSeconds(location: string): Promise<Seconds> {
  const text = await readFile(location, 'utf8').catch(() => '{}');
  const read: unknown = JSON.parse(text);
  if (typeof read !== 'object' || read === null) return {};
  return Object.fromEntries(
    Object.entries(read).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
