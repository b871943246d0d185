import type { RefusalCode, RefusalDetails } from '@stoa/core';
import type { PlanCatalog } from '../../service/plans.ts';

/** What the writer's thread is given when it starts. */
export interface WriterStart {
  readonly file: string;
  readonly plans: PlanCatalog;
}

export interface Operation {
  readonly script: string;
  readonly command: unknown;
}

export type OperationResult =
  | { readonly kind: 'done'; readonly outcome: unknown }
  | {
      readonly kind: 'refused';
      readonly code: RefusalCode;
      readonly details: RefusalDetails;
      readonly message: string;
    }
  /** A bug: of the script, or of what it was given. */
  | { readonly kind: 'failed'; readonly message: string; readonly stack: string };

export type BatchResult =
  /** `results` are in the order of the operations. `changedWorkspaces` had their feeds grow. */
  | {
      readonly kind: 'committed';
      readonly results: readonly OperationResult[];
      readonly changedWorkspaces: readonly string[];
    }
  /** Nothing of the batch was kept; the writer goes on. */
  | { readonly kind: 'rolled_back'; readonly reason: 'storage_full' | 'busy' }
  /** Nothing of the batch may be relied on, and the writer has stopped. */
  | { readonly kind: 'fatal'; readonly message: string };

export type ToWriter =
  | { readonly kind: 'batch'; readonly operations: readonly Operation[] }
  | { readonly kind: 'close' };

/** Batches are answered in the order they were sent. */
export type FromWriter =
  | { readonly kind: 'ready' }
  | { readonly kind: 'batch'; readonly result: BatchResult };
