import type { ToolSetName } from '@stoa/contract';
import type { Caller } from '../service/access.ts';
import type { BatchedReads } from './batched-reads.ts';
import type { LargeContent } from './large-message.ts';

/** A received message with its authenticated caller. */
export interface McpRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON. */
  readonly body: unknown;
  /** The content of a file, extracted from a large body. */
  readonly content: LargeContent | null;
  readonly caller: Caller;
  readonly toolSet: ToolSetName;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** Runs a costly call in its order, because a batch has many. */
  readonly batchedReads: BatchedReads;
  /** Waits for news without the permit of the request, so that other calls of the same user can run. */
  readonly whileWaiting: (wait: () => Promise<void>) => Promise<void>;
  /** Reports an unexpected failure of a call to the operator. @returns the text for the agent */
  readonly reportFault: (error: unknown) => string;
}
