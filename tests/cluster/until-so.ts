import { setTimeout as pause } from 'node:timers/promises';

const lookAgainMs = 10;
const looksMax = 12_000;

/** Waits until the condition is true. @throws Error when it never is. */
export async function untilSo(what: string, isSo: () => boolean): Promise<void> {
  for (let looks = 0; looks < looksMax; looks += 1) {
    if (isSo()) return;
    await pause(lookAgainMs);
  }
  throw new Error(`${what}: not within ${looksMax} looks`);
}
