// docs/decisions/0081-traces-of-some-requests.md
import type { RefusalCode } from '@stoa/core';
import type { StoreObserver } from '../metrics/measure-stores.ts';

/** Follows some requests through the service, and sends what it saw to a collector. */
export interface Traces {
  /** @returns null for a request that is not followed: most are not. */
  requestBegan(request: BegunRequest): FollowedRequest | null;
  readonly stores: StoreObserver;
  readonly searches: SearchObserver;
  /** Runs a tool of MCP, named as it is published. */
  tool<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** Sends what is left, as far as that goes within seconds. Never fails. */
  stop(): Promise<void>;
}

/** What of a search is told apart: reading a workspace's paths, looking in contents, and one worker's part of that. */
export type SearchStep = 'paths' | 'contents' | 'scan';

export interface SearchObserver {
  during<Result>(step: SearchStep, work: () => Promise<Result>): Promise<Result>;
}

/** What may be told of a request: nothing that somebody could keep to themselves. */
export interface BegunRequest {
  readonly id: string;
  readonly method: string;
  /** The pattern, never the path itself; null where none fits. */
  readonly route: string | null;
  readonly scheme: 'http' | 'https';
  /** The header `traceparent`, as it came. */
  readonly traceParent: string | null;
}

export interface FollowedRequest {
  /** By which the log names it. */
  readonly traceId: string;
  /** What is begun by this belongs to the request. */
  within<Result>(work: () => Result): Result;
  over(end: EndedRequest): void;
}

export interface EndedRequest {
  readonly status: number;
  readonly refusal: RefusalCode | null;
  /** Something for the operator to look into. */
  readonly isFault: boolean;
  /** The client went away before the whole answer was sent. */
  readonly isAborted: boolean;
}
