import type { ErrorCode } from '@stoa/core';
import type { StoreObserver } from '../metrics/measure-stores.ts';

/** Traces some requests through the service, and sends the traces to a collector. */
export interface Traces {
  /** @returns null for a request that is not traced, as most are */
  requestBegan(request: BegunRequest): FollowedRequest | null;
  readonly stores: StoreObserver;
  readonly searches: SearchObserver;
  /** Runs an MCP tool by its published name. */
  tool<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** Sends the remaining spans within a few seconds. Never fails. */
  stop(): Promise<void>;
}

/** Traced parts of a search: reading a workspace's list of files, searching contents, and one worker's part of that. */
export type SearchStep = 'paths' | 'contents' | 'scan';

export interface SearchObserver {
  during<Result>(step: SearchStep, work: () => Promise<Result>): Promise<Result>;
}

/** Facts of a request that may be traced: nothing private. */
export interface BegunRequest {
  readonly id: string;
  readonly method: string;
  /** The route's pattern, never the path; null if no route matches. */
  readonly route: string | null;
  readonly scheme: 'http' | 'https';
  /** The header `traceparent` as it was sent. */
  readonly traceParent: string | null;
}

export interface FollowedRequest {
  /** The log names the request by this id. */
  readonly traceId: string;
  /** Operations that begin inside `work` belong to the request. */
  within<Result>(work: () => Result): Result;
  over(end: EndedRequest): void;
}

export interface EndedRequest {
  readonly status: number;
  readonly errorCode: ErrorCode | null;
  /** A fault for the operator to investigate. */
  readonly isFault: boolean;
  /** The client went away before the whole response was sent. */
  readonly isAborted: boolean;
}
