import { useRef, useState } from 'react';
import { type Notice, notify } from './notices.ts';

export interface Task {
  readonly busy: boolean;
  /** Error of the last run, as a message for the user. */
  readonly error: string | null;
  /** Starts it, unless it is running: a double press acts once. */
  run(work: () => Promise<void>): void;
  /** Clears the error, or sets one that needs no server. */
  setError(error: string | null): void;
}

/** The action of a form or a button. Its error is shown at the control. */
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

/**
 * An immediate action. Its failure is shown in a notice, `{what} was not possible: …`, with links to more information.
 */
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
