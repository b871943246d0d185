import type { ToolSetName } from '@stoa/contract';
import type { Caller } from '../service/access.ts';
import type { LargeContent } from './large-message.ts';

/** A message as it came in, its sender known. */
export interface McpRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON. */
  readonly body: unknown;
  /** Beside a large body: its file's content. */
  readonly content: LargeContent | null;
  readonly caller: Caller;
  readonly toolSet: ToolSetName;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** Tells the operator about a fault in a call that is not a refusal. @returns the words for the agent. */
  readonly reportFault: (error: unknown) => string;
}
