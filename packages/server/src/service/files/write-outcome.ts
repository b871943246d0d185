import type { QuotaRefusal, WorkspacePath } from '@stoa/core';

/** A full workspace: nothing was written. Bytes, or a count of files, before the operation. */
export type QuotaOutcome = QuotaRefusal;

/** How a write ended (interface: files, Write). */
export type WriteOutcome =
  | { readonly kind: 'created'; readonly path: WorkspacePath; readonly version: number }
  | { readonly kind: 'updated'; readonly path: WorkspacePath; readonly version: number }
  /** The same bytes were there already: no new version, no record. */
  | { readonly kind: 'unchanged'; readonly path: WorkspacePath; readonly version: number }
  | {
      readonly kind: 'conflict';
      readonly currentVersion: number;
      readonly conflictCopyPath: WorkspacePath;
    }
  | { readonly kind: 'precondition_required'; readonly currentVersion: number }
  | QuotaOutcome;
