import { createStore } from '../store/store.ts';

/** A text that was typed here and that the server does not have yet. */
export interface UnsavedText {
  readonly workspaceId: string;
  readonly path: string;
  /** Whether its page is the one that is shown. */
  readonly isOpen: boolean;
  /** Gives the text to the person as a file. */
  download(): void;
}

/** Kept by the save engines: who signs out is asked first, and the header says which files wait. */
export const unsavedTexts = createStore<readonly UnsavedText[]>([]);
