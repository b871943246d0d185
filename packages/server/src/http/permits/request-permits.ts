import type { ServerResponse } from 'node:http';
import { setImmediate as nextTick } from 'node:timers/promises';
import { WorkspaceError } from '@stoa/core';
import { createSemaphore, type Semaphore } from '../../concurrency/semaphore.ts';

/**
 * Cost class of a request.
 * - `small`: A few milliseconds at most, or work with its own queue: changes, uploads, merges.
 * - `costly`: More than that, or a response of any size in memory. Holds a permit of its caller until it has been
 *   sent.
 * - `streamed`: Sent at the client's pace. `sendResponse` acquires the permit.
 * - `held`: Waits first, and acquires the permit of a costly read when there is something to read.
 */
export type RequestCost = 'small' | 'costly' | 'streamed' | 'held';

/** Concurrent costly reads. Each includes its response in memory until that has been sent. */
const readBounds = { atOnceOfOne: 2, waitingOfOneMax: 256, waitingMax: 4096, waitMs: 30_000 };
const readsMax = 64;
/** The part of these that visitors of share links may have, who can come from any number of addresses. */
const visitorReadsMax = readsMax / 2;
/**
 * Concurrent MCP calls that are not costly. The protocol's library takes some milliseconds for each. An account may have
 * hundreds of agents, each with a call.
 */
const callBounds = { ...readBounds, atOnceOfOne: 8, waitingOfOneMax: 512 };
const callsMax = 256;
/**
 * The calls of a batch wait for news one after another. Once they have waited this long, later ones do not wait, or the
 * batch would outlast its silent connection and lose all its results.
 */
const newsWaitMs = 30_000;
/** Responses sent at their clients' pace. A response that waits longer is rejected with `overloaded`. */
const transferBounds = { atOnceOfOne: 32, waitingOfOneMax: 64, waitingMax: 1024, waitMs: 10_000 };
const transfersMax = 1024;
/** The part of these that visitors may have. */
const visitorTransfersMax = transfersMax / 2;
/** For each share link, over all its visitors: four times the bound of one address, which cannot keep a link busy. */
const linkTransferBounds = { ...transferBounds, atOnceOfOne: 4 * transferBounds.atOnceOfOne };

/** The permits of all requests. */
export interface RequestPermits {
  /** @param keys called when a permit is needed; returns the caller, then the workspace. See `Semaphore.acquire`. */
  of(response: ServerResponse, keys: () => readonly string[]): RequestPermit;
  /**
   * The same for a visitor of a share link.
   * @param keys returns the address
   * @param shareId the link whose bytes are sent; null for its pages
   */
  ofVisitor(response: ServerResponse, keys: () => readonly string[], shareId: string | null): RequestPermit;
}

/** Releases the permit while a call waits for news, and acquires another one afterwards. It may return at once. */
export type WhileWaiting = (wait: () => Promise<void>) => Promise<void>;

/** The permits of one request. All methods throw WorkspaceError `overloaded`. */
export interface RequestPermit {
  /** Waits for the permit of a costly read. The returned function releases it, and so does the end of the response. */
  untilSent(): Promise<() => void>;
  /** The same for an MCP call. */
  callUntilSent(isCostly: boolean): Promise<WhileWaiting>;
  /** Runs a costly read whose result is sent in chunks. */
  during<Result>(read: () => Promise<Result>): Promise<Result>;
  /** Waits until a response may be sent at its client's pace. The permit is released when the response ends. */
  transfer(): Promise<void>;
}

/** @param now a clock in milliseconds */
export function createRequestPermits(now = () => performance.now()): RequestPermits {
  const reads = createSemaphore(readsMax, readBounds);
  const calls = createSemaphore(callsMax, callBounds);
  const transfers = createSemaphore(transfersMax, transferBounds);
  const visitorReads = createSemaphore(visitorReadsMax, readBounds);
  const visitorTransfers = createSemaphore(visitorTransfersMax, transferBounds);
  const linkTransfers = createSemaphore(visitorTransfersMax, linkTransferBounds);
  /** A class, because every request has one and few use it. */
  class Permit implements RequestPermit {
    readonly response: ServerResponse;
    readonly keys: () => readonly string[];

    constructor(response: ServerResponse, keys: () => readonly string[]) {
      this.response = response;
      this.keys = keys;
    }

    untilSent(): Promise<() => void> {
      return holdUntilSent(reads, this.response, this.keys());
    }

    async callUntilSent(isCostly: boolean): Promise<WhileWaiting> {
      const begin = () => holdUntilSent(isCostly ? reads : calls, this.response, this.keys());
      let end = await begin();
      let leftMs = newsWaitMs;
      return async (wait) => {
        if (leftMs <= 0) return;
        end();
        const waitedFrom = now();
        await wait();
        leftMs -= now() - waitedFrom;
        end = await begin();
      };
    }

    during<Result>(read: () => Promise<Result>): Promise<Result> {
      const begun = async () => {
        await nextTick();
        return read();
      };
      return reads.run(begun, ...this.keys());
    }

    async transfer(): Promise<void> {
      await holdUntilSent(transfers, this.response, this.keys());
    }
  }

  class VisitorPermit extends Permit {
    readonly shareId: string | null;

    constructor(response: ServerResponse, keys: () => readonly string[], shareId: string | null) {
      super(response, keys);
      this.shareId = shareId;
    }

    override async untilSent(): Promise<() => void> {
      await holdUntilSent(visitorReads, this.response, this.keys());
      return super.untilSent();
    }

    override async transfer(): Promise<void> {
      const { response, shareId } = this;
      // In this order: while a visitor waits for a permit of its address, it holds none of the link.
      await holdUntilSent(visitorTransfers, response, this.keys());
      if (shareId !== null) await holdUntilSent(linkTransfers, response, [shareId, ...this.keys()]);
      await super.transfer();
    }
  }

  return {
    of: (response, keys) => new Permit(response, keys),
    ofVisitor: (response, keys, shareId) => new VisitorPermit(response, keys, shareId),
  };
}

async function holdUntilSent(
  semaphore: Semaphore,
  response: ServerResponse,
  keys: readonly string[],
): Promise<() => void> {
  const release = await semaphore.acquire(...keys);
  response.once('close', release);
  const end = () => {
    response.off('close', release);
    release();
  };
  // Without this, waiting reads would follow each other and starve other connections.
  await nextTick();
  if (!response.closed) return end;
  end();
  // The client has left, so its work stops here.
  throw new WorkspaceError('overloaded');
}
