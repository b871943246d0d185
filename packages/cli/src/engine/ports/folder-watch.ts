import type { DiskPath } from './local-folder.ts';

export interface FolderWatchOptions {
  /** Called for each event, possibly thousands of times per second. It must only set marks. */
  onEvent(event: FolderEvent): void;
  /** Whether a folder need not be watched. */
  isIgnored(path: DiskPath): boolean;
  /** Whether creation and deletion of an ignored path are reported nevertheless. */
  isAwaited(path: DiskPath): boolean;
}

export type FolderEvent =
  /** An event at this path or, for a folder, in it. */
  | { readonly kind: 'touched'; readonly path: DiskPath }
  /** Events were lost. Everything must be scanned. */
  | { readonly kind: 'overflow' }
  /** No more events follow. */
  | { readonly kind: 'blind'; readonly detail: string };

export interface FolderWatch {
  readonly mode: 'events' | 'polling';
  /**
   * `as_read`: reports events in a folder from the moment it is read, whatever was at its path before.
   * `at_once`: reports events in all folders that existed at the start or came later, but may miss those of a folder
   * that replaces another.
   */
  readonly hears: 'as_read' | 'at_once';
  /** Why there are no events, and what the user can do about it; null while there are events. */
  readonly detail: string | null;
  /** No events follow it. */
  close(): void;
}
