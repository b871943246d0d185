/** Longest time that preloading waits on a page that is never idle. */
const idleWaitMs = 5000;

/**
 * Preloads parts that users will probably need, one after the other, while the page is idle. A failed part is loaded
 * when it is needed. With Save-Data, nothing is preloaded.
 * @returns a function that stops preloading
 */
export function loadSoon(parts: readonly (() => Promise<unknown>)[]): () => void {
  let isEnded = savesData();
  const next = async (index: number): Promise<void> => {
    const load = parts[index];
    if (isEnded || load === undefined) return;
    await load().catch(() => undefined);
    whenIdle(() => void next(index + 1));
  };
  whenIdle(() => void next(0));
  return () => {
    isEnded = true;
  };
}

function whenIdle(run: () => void): void {
  // Safari does not support it.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: idleWaitMs });
  else setTimeout(run, 200);
}

function savesData(): boolean {
  const connection: unknown = 'connection' in navigator ? navigator.connection : null;
  return typeof connection === 'object' && connection !== null && 'saveData' in connection
    ? connection.saveData === true
    : false;
}
