/** Lets long computations share the event loop: together they block other requests no longer than one of them would. */
export interface Ticks {
  /** Resolves when the caller may compute for a few milliseconds: one caller in each tick. */
  next(): Promise<void>;
}

/** The queue is bounded by the number of active computations, because each waits once at a time. */
export function createTicks(): Ticks {
  const waiting: (() => void)[] = [];
  const give = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(give);
  };
  return {
    next() {
      return new Promise((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 1) setImmediate(give);
      });
    },
  };
}

/** Runs a computation of many steps, one per tick. */
export async function inTicks<Outcome>(
  ticks: Ticks,
  steps: Generator<undefined, Outcome, undefined>,
): Promise<Outcome> {
  for (;;) {
    await ticks.next();
    const step = steps.next();
    if (step.done) return step.value;
  }
}
