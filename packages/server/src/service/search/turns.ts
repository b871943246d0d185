/** Lets long computations take turns, so that together they hold up other requests no more than one of them would. */
export interface Turns {
  /** Resolves when the caller may compute for a few milliseconds: one caller in each round of the event loop. */
  next(): Promise<void>;
}

/** Waits for turns are as many as computations under way, each has one at a time. */
export function createTurns(): Turns {
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

/** Runs a computation of many steps, one in each of its turns. */
export async function inTurns<Outcome>(
  turns: Turns,
  steps: Generator<undefined, Outcome, undefined>,
): Promise<Outcome> {
  for (;;) {
    await turns.next();
    const step = steps.next();
    if (step.done) return step.value;
  }
}
