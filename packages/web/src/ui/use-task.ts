import { useRef, useState } from 'react';
import { type Notice, notify } from './notices.ts';

export interface Task {
  readonly busy: boolean;
  /** What the server said against the last run, or the browser: for people to read. */
  readonly error: string | null;
  /** Starts it, unless it is under way already: a button that is pressed twice acts once. */
  run(work: () => Promise<void>): void;
  /** Takes a message back, or puts one there that needs no server. */
  setError(error: string | null): void;
}

/** Something that a form or a button does, with what went wrong shown where it was asked for. */
export function useTask(): Task {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const underWay = useRef(false);
  const run = (work: () => Promise<void>) => {
    if (underWay.current) return;
    underWay.current = true;
    setBusy(true);
    setError(null);
    work()
      .catch((failure: unknown) => setError(messageOf(failure)))
      .finally(() => {
        underWay.current = false;
        setBusy(false);
      });
  };
  return { busy, error, run, setError };
}

/** Something that is done at once, whose failure is told in a notice: `{what} was not possible: …`, with links that lead on. */
export function attempt(
  failed: (message: string) => string,
  work: () => Promise<void>,
  linksAfter: (failure: unknown) => NonNullable<Notice['links']> = () => [],
): void {
  work().catch((failure: unknown) =>
    notify({ text: failed(messageOf(failure)), links: linksAfter(failure), failure: true }),
  );
}

export function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
