import type { QuotaRefusal, WorkspacePath } from '@stoa/core';

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
  | QuotaRefusal;
