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
  /** The file changed since, and the writer asked that nothing be kept of a write that comes too late. */
  | { readonly kind: 'refused'; readonly currentVersion: number }
  | { readonly kind: 'precondition_required'; readonly currentVersion: number }
  | QuotaRefusal;
