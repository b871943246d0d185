import { createStore } from '../store/store.ts';

/** A local text that the server does not have yet. */
export interface UnsavedText {
  readonly workspaceId: string;
  readonly path: string;
  /** Whether its page is the current one. */
  readonly isOpen: boolean;
  /** Saves the text as a file on the user's device. */
  download(): void;
}

/** Updated by the save engines. Signing out asks first if there are any, and the header lists waiting files. */
export const unsavedTexts = createStore<readonly UnsavedText[]>([]);
