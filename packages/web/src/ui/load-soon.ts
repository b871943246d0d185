/** How long what is loaded ahead waits for a page that is never idle. */
const idleWaitMs = 5000;

/**
 * Loads parts that people are about to need, one after the other, once the page has nothing else to do. What does not
 * come is loaded when it is needed. Whoever saves data waits then, too.
 * @returns ends it
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
  // Safari has none.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: idleWaitMs });
  else setTimeout(run, 200);
}

function savesData(): boolean {
  const connection: unknown = 'connection' in navigator ? navigator.connection : null;
  return typeof connection === 'object' && connection !== null && 'saveData' in connection
    ? connection.saveData === true
    : false;
}
