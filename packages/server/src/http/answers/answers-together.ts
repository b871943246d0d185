// docs/decisions/0092-answers-of-a-turn-go-out-together.md

/** The first of so many has waited long enough. */
const togetherMax = 16;

interface Waiting {
  readonly sent: PromiseWithResolvers<void>;
  answers: number;
}

let waiting: Waiting | null = null;

/**
 * Resolves when the requests that one poll of the sockets found are answered, or 16 of them: answers that go out one right
 * after the other cost less than each between two requests, after which its reader has gone to sleep again.
 */
export function answersTogether(): Promise<void> {
  const joined = waiting ?? beginWaiting();
  joined.answers += 1;
  if (joined.answers === togetherMax) send(joined);
  return joined.sent.promise;
}

function beginWaiting(): Waiting {
  const begun = { sent: Promise.withResolvers<void>(), answers: 0 };
  waiting = begun;
  // After the poll, in the same turn.
  setImmediate(() => send(begun));
  return begun;
}

function send(those: Waiting): void {
  if (waiting === those) waiting = null;
  those.sent.resolve();
}
