import { type RefusalCode, type RefusalDetails, WorkspaceError } from '@stoa/core';

/** A script to be run, by its name, with its command. */
export interface QueuedScript {
  readonly script: string;
  readonly command: unknown;
}

export type ScriptResult =
  | { readonly kind: 'done'; readonly outcome: unknown }
  | {
      readonly kind: 'refused';
      readonly code: RefusalCode;
      readonly details: RefusalDetails;
      readonly message: string;
    }
  /** A bug: of the script or of its command. */
  | { readonly kind: 'failed'; readonly message: string; readonly stack: string };

export type BatchResult =
  /** `results` are in the order of the scripts. `changedWorkspaces` had their feeds grow. */
  | {
      readonly kind: 'committed';
      readonly results: readonly ScriptResult[];
      readonly changedWorkspaces: readonly string[];
    }
  /** Nothing of the batch was kept; the next may be. */
  | { readonly kind: 'rolled_back'; readonly reason: 'storage_full' | 'busy' | 'unreachable' }
  /** The database stopped answering while it committed: whether the batch was kept could not be found out. */
  | { readonly kind: 'unknown' }
  /** Nothing of the batch may be relied on, and nothing more can be written. */
  | { readonly kind: 'fatal'; readonly message: string };

/** The result of a script that threw. */
export function refusedResult(error: unknown): ScriptResult {
  if (error instanceof WorkspaceError) {
    return { kind: 'refused', code: error.code, details: error.details, message: error.message };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'failed', message, stack: stack ?? '' };
}
