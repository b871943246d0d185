import { createStore, type Store } from '../store/store.ts';
import type { PositionInText } from './moved-range.ts';
import type { State } from './state.ts';

/** The server's text, as last known. */
export interface SavedText {
  readonly text: string;
  readonly version: number;
}

/**
 * The text of a file in a save engine of this page. Read mode and comments use it without the editor, which may not
 * even be loaded.
 */
export interface OpenDocument {
  readonly workspaceId: string;
  readonly path: string;
  readonly store: Pick<Store<Pick<State<unknown>, 'path' | 'hold' | 'base' | 'doc'>>, 'get' | 'subscribe'>;
  readonly isDirty: boolean;
  /** As edited locally. */
  readonly text: string;
  readonly saved: SavedText;
  /** Maps a range of one text to what the text became; null if none of it is left. */
  moved(from: string, to: string, location: PositionInText): PositionInText | null;
  /** Saves the text. @throws an error with a message for the user if that takes too long */
  save(): Promise<SavedText>;
  /** Marks its page as shown. Returns a function that reverts this. */
  show(): () => void;
}

/** All open documents of this page. They outlive their page until everything is saved. */
export const openDocuments = createStore<readonly OpenDocument[]>([]);

export function openDocumentAt(workspaceId: string, path: string): OpenDocument | null {
  return openDocuments.get().find((text) => text.workspaceId === workspaceId && text.path === path) ?? null;
}
