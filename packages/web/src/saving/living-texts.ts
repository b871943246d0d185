import { createStore, type Store } from '../store/store.ts';
import type { PlaceInText } from './moved-range.ts';
import type { State } from './state.ts';

/** What the server has of a text, as far as is known here. */
export interface SavedText {
  readonly text: string;
  readonly version: number;
}

/**
 * The text of a file that a save engine keeps on this page: what reading it and commenting on it need to know, while its
 * editor need not be shown, nor loaded.
 */
export interface LivingText {
  readonly workspaceId: string;
  readonly path: string;
  readonly store: Pick<Store<Pick<State<unknown>, 'path' | 'hold' | 'base' | 'doc'>>, 'get' | 'subscribe'>;
  readonly isDirty: boolean;
  /** As it was typed here. */
  readonly text: string;
  readonly saved: SavedText;
  /** Where a place of one text is in what it became; null where nothing is left of it. */
  moved(from: string, to: string, place: PlaceInText): PlaceInText | null;
  /** Saves what is typed. @throws an error that people can read, when it is not saved within a while */
  save(): Promise<SavedText>;
  /** Its page is shown. What this returns says that it no longer is. */
  show(): () => void;
}

/** All of this page. They live on after their page until nothing is unsaved. */
export const livingTexts = createStore<readonly LivingText[]>([]);

export function livingTextAt(workspaceId: string, path: string): LivingText | null {
  return livingTexts.get().find((text) => text.workspaceId === workspaceId && text.path === path) ?? null;
}
