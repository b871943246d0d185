import type { DiskPath } from './local-folder.ts';

export interface FolderWatchOptions {
  /** Called for each event, possibly many thousand a second: it only marks. */
  onEvent(event: FolderEvent): void;
  /** Folders that need not be watched. */
  isIgnored(path: DiskPath): boolean;
  /** Of what is ignored: that it comes and goes is told nevertheless. */
  isAwaited(path: DiskPath): boolean;
}

export type FolderEvent =
  /** Something happened at this path or, for a folder, in it. */
  | { readonly kind: 'touched'; readonly path: DiskPath }
  /** More happened than was told: everything has to be looked at. */
  | { readonly kind: 'overflow' }
  /** Nothing is told from now on. */
  | { readonly kind: 'blind'; readonly detail: string };

export interface FolderWatch {
  readonly mode: 'events' | 'polling';
  /**
   * `as_read`: it hears each folder from the moment in which that is read, whatever stood there before. `at_once`: it hears
   * all that was there when it was opened and what came since, but may go deaf in a folder that takes another's place.
   */
  readonly hears: 'as_read' | 'at_once';
  /** Why there are no events, with what a person can do about it; null while there are. */
  readonly detail: string | null;
  /** Nothing is told after it. */
  close(): void;
}
