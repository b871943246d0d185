import type { PlanCatalog } from '../../service/plans.ts';
import type { BatchResult, Operation } from '../batches/operation.ts';

/** The writer thread's data at its start. */
export interface WriterStart {
  readonly file: string;
  readonly plans: PlanCatalog;
}

export type ToWriter =
  | { readonly kind: 'batch'; readonly operations: readonly Operation[] }
  | { readonly kind: 'close' };

/** Batches are answered in the order they were sent. */
export type FromWriter =
  | { readonly kind: 'ready' }
  | { readonly kind: 'batch'; readonly result: BatchResult };
