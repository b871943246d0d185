// docs/speed.md
import { WorkspaceError } from '@stoa/core';

/** Counts started and finished operations of each thread of a process. Every thread sees the counts of all. */
export interface ThreadTally {
  /** Counts an operation that starts here. @returns the number that this thread has started */
  begin(): bigint;
  /** Records that this thread has finished its operations up to this number. */
  end(upTo: bigint): void;
  /**
   * Resolves when all operations started so far, on any thread, are finished.
   * @throws WorkspaceError `overloaded` if that takes too long
   */
  settled(): Promise<void>;
}

/** One thread's slot in a shared tally; it can be sent to that thread. */
export interface TallyLocation {
  readonly cells: BigInt64Array;
  readonly thread: number;
}

/** Longer than the writer takes, unless it or a thread has a problem. */
const settleMsMax = 10_000;

export function tallyLocations(threads: number): readonly [TallyLocation, ...TallyLocation[]] {
  const cells = new BigInt64Array(new SharedArrayBuffer(2 * threads * BigInt64Array.BYTES_PER_ELEMENT));
  const further = Array.from({ length: threads - 1 }, (_, index) => ({ cells, thread: index + 1 }));
  return [{ cells, thread: 0 }, ...further];
}

export function openThreadTally({ cells, thread }: TallyLocation): ThreadTally {
  const threads = Array.from({ length: cells.length / 2 }, (_, index) => index);
  const begunOf = (each: number) => Atomics.load(cells, 2 * each);
  const endedCell = (each: number) => 2 * each + 1;

  async function reached(each: number, begun: bigint): Promise<void> {
    for (;;) {
      const ended = Atomics.load(cells, endedCell(each));
      if (ended >= begun) return;
      if ((await Atomics.waitAsync(cells, endedCell(each), ended, settleMsMax).value) === 'timed-out') {
        throw new WorkspaceError('overloaded');
      }
    }
  }

  return {
    begin: () => Atomics.add(cells, 2 * thread, 1n) + 1n,
    end(upTo) {
      Atomics.store(cells, endedCell(thread), upTo);
      Atomics.notify(cells, endedCell(thread));
    },
    async settled() {
      await Promise.all(threads.map((each) => reached(each, begunOf(each))));
    },
  };
}
