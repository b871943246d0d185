import { WorkspaceError } from '@stoa/core';
import type { AnchorResolver } from '../ports/anchor-resolver.ts';
import { createSlots, type Slots } from '../slots.ts';
import { createKnownAnchors, type KnownAnchors } from './known-anchors.ts';

/** What the comment use cases share. Owned by the composition root. */
export interface Anchors {
  readonly resolver: AnchorResolver;
  readonly known: KnownAnchors;
  /**
   * Runs work that holds contents of this many bytes in memory, a bounded number of them at a time.
   * @throws WorkspaceError `overloaded` when too much waits already.
   */
  holding<Result>(bytes: number, work: () => Promise<Result>): Promise<Result>;
}

/** Contents up to this size, together, never wait behind larger ones. */
const smallBytesMax = 1024 * 1024;
const smallAtOnce = 16;
/** One piece of large work holds two files of the greatest size. */
const largeAtOnce = 1;
const waitingMax = 1000;

export function createAnchors(resolver: AnchorResolver): Anchors {
  const small = boundedSlots(smallAtOnce);
  const large = boundedSlots(largeAtOnce);
  return {
    resolver,
    known: createKnownAnchors(),
    holding: (bytes, work) => (bytes <= smallBytesMax ? small : large).run(work),
  };
}

function boundedSlots(count: number): Pick<Slots, 'run'> {
  const slots = createSlots(count);
  let pending = 0;
  return {
    async run(work) {
      if (pending >= count + waitingMax) throw new WorkspaceError('overloaded');
      pending += 1;
      try {
        return await slots.run(work);
      } finally {
        pending -= 1;
      }
    },
  };
}
