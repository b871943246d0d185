import { createStore, type Store } from '../store/store.ts';

/**
 * A request for a dialog as a value, so that a feature can open another feature's dialog without importing it. Each
 * kind has its case in `app/Dialogs.tsx`.
 */
export type DialogRequest =
  | { readonly kind: 'confirm'; readonly question: ConfirmQuestion; readonly respond: (yes: boolean) => void }
  | { readonly kind: 'compare'; readonly comparison: TextsToMerge }
  | { readonly kind: 'copy-by-hand'; readonly text: string }
  | { readonly kind: 'new-workspace' }
  | {
      readonly kind: 'new-file' | 'new-folder';
      readonly workspaceId: string;
      /** Target folder; empty for the top folder. */
      readonly folder: string;
    }
  | {
      readonly kind: 'rename';
      readonly workspaceId: string;
      readonly path: string;
      /** Initial text of the field; by default the current name. */
      readonly name?: string;
    }
  | { readonly kind: 'icon'; readonly workspaceId: string; readonly path: string }
  | { readonly kind: 'move'; readonly workspaceId: string; readonly paths: readonly string[] }
  | { readonly kind: 'find'; readonly workspaceId: string; readonly typed: string }
  | { readonly kind: 'keyboard-shortcuts' }
  | {
      readonly kind: 'undo';
      readonly workspaceId: string;
      /** Name of the author of the changes. */
      readonly who: string;
      readonly from: ChangesToUndo;
    }
  | { readonly kind: 'create-invite'; readonly workspaceId: string }
  | { readonly kind: 'change-date'; readonly workspaceId: string; readonly path: string }
  | {
      readonly kind: 'share';
      readonly workspaceId: string;
      readonly path: string;
      readonly of: 'file' | 'folder';
    };

/** Start of an undo of a user's changes: a change, and all later ones. */
export interface ChangesToUndo {
  readonly actor: { readonly actorId: string; readonly actorKeyId: string | null };
  /** `createdAt` of the change, unmodified. */
  readonly since: string;
  /** The file of the change. */
  readonly path: string;
  /** Only in this file; otherwise everywhere. */
  readonly isOnlyThere: boolean;
}

/** Asks before an action that cannot be undone. The action has the same words as the control that led here. */
export interface ConfirmQuestion {
  readonly title: string;
  readonly text?: string;
  readonly action: string;
  readonly cancel?: string;
}

/** The newest version of a file, as shown on the left of the dialog. */
export interface CurrentText {
  readonly version: number;
  readonly hash: string;
  readonly text: string;
  readonly who: string;
}

export type MergeOutcome =
  | { readonly kind: 'saved' }
  /** `current` is a newer version now: nothing was sent. */
  | { readonly kind: 'moved_on' }
  | { readonly kind: 'refused'; readonly message: string };

/** Two texts for the user to merge. */
export interface TextsToMerge {
  /** Identifies the merge: a dialog that is closed and opened again with this key resumes it. */
  readonly key: string;
  readonly workspaceId: string;
  /** The file of both versions. */
  readonly path: string;
  /** The common base; null if unknown, and then the user must decide every difference. */
  readonly base: string | null;
  readonly mine: string;
  readonly current: Pick<Store<CurrentText>, 'get' | 'subscribe'>;
  /** `left`: the version that was shown next to it. */
  save(text: string, left: { readonly version: number; readonly hash: string }): Promise<MergeOutcome>;
}

export interface OpenDialog {
  readonly id: number;
  /**
   * Candidates for the focus after closing; the first that still exists gets it. Its own opener comes before those of
   * the dialog below.
   */
  readonly openers: readonly HTMLElement[];
  readonly request: DialogRequest;
}

/** The open dialogs, topmost last. */
export const openDialogs = createStore<readonly OpenDialog[]>([]);

let lastId = 0;

/** Opens a dialog over any open ones. Returns a function that closes it. */
export function openDialog(request: DialogRequest): () => void {
  lastId += 1;
  const id = lastId;
  const opener = focusedControl();
  const below =
    opener?.closest('[role$="dialog"]') == null ? undefined : (replaced ?? openDialogs.get().at(-1));
  const openers = [...(opener === null ? [] : [opener]), ...(below?.openers ?? [])];
  openDialogs.set([...openDialogs.get(), { id, openers, request }]);
  return () => closeDialog(id);
}

/** The dialog that was closed in this tick, because another may replace it: a command's dialog replaces the palette. */
let replaced: OpenDialog | undefined;

/** The focused control; for a menu entry the menu's button, because the entry disappears with the menu. */
function focusedControl(): HTMLElement | null {
  const focused = document.activeElement;
  const menu = focused?.closest('[role="menu"]');
  if (menu === null || menu === undefined) return focused instanceof HTMLElement ? focused : null;
  const trigger = document.getElementById(menu.getAttribute('aria-labelledby') ?? '');
  return trigger ?? lastContextTarget;
}

let lastContextTarget: HTMLElement | null = null;

/** Remembers the target of the open context menu, because that menu does not name it. */
export function rememberContextTarget(target: HTMLElement): void {
  lastContextTarget = target;
}

export function closeDialog(id: number): void {
  replaced = openDialogs.get().find((open) => open.id === id);
  queueMicrotask(() => {
    replaced = undefined;
  });
  openDialogs.set(openDialogs.get().filter((open) => open.id !== id));
}

/** Asks before an action that cannot be undone. Escape and Cancel mean no. */
export function askToConfirm(question: ConfirmQuestion): Promise<boolean> {
  return new Promise((resolve) => {
    openDialog({ kind: 'confirm', question, respond: resolve });
  });
}
