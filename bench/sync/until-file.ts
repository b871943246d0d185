import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const lookEveryMs = 2;
const waitMsMax = 60_000;

/** @returns the `performance.now()` at which the file first had this text, or was gone for null. */
export async function untilFile(file: string, text: string | null): Promise<number> {
  const deadline = performance.now() + waitMsMax;
  while (performance.now() < deadline) {
    const found = await readFile(file, 'utf8').catch(() => null);
    if (found === text) return performance.now();
    await wait(lookEveryMs);
  }
  throw new Error(`${file} did not become as expected in a minute`);
}
