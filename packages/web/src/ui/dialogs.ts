import { createStore, type Store } from '../store/store.ts';

/**
 * A dialog that some part asks for, as a value: a feature asks for another's dialog without importing it. Each kind has
 * its line in the switch in `app/dialogs.tsx`.
 */
export type DialogRequest =
  | { readonly kind: 'confirm'; readonly question: ConfirmQuestion; readonly answer: (yes: boolean) => void }
  | { readonly kind: 'compare'; readonly comparison: TextsToMerge }
  | { readonly kind: 'copy-by-hand'; readonly text: string }
  | { readonly kind: 'new-workspace' }
  | {
      readonly kind: 'new-file' | 'new-folder';
      readonly workspaceId: string;
      /** Where it is made; empty at the top. */
      readonly folder: string;
    }
  | {
      readonly kind: 'rename';
      readonly workspaceId: string;
      readonly path: string;
      /** What the field begins with; by default the name that it has. */
      readonly name?: string;
    }
  | { readonly kind: 'icon'; readonly workspaceId: string; readonly path: string }
  | { readonly kind: 'move'; readonly workspaceId: string; readonly paths: readonly string[] }
  | { readonly kind: 'find'; readonly workspaceId: string; readonly typed: string }
  | { readonly kind: 'keyboard-shortcuts' }
  | {
      readonly kind: 'undo';
      readonly workspaceId: string;
      /** Whose changes, by name. */
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

/** What undoing somebody's changes begins with: a change, and what was done from it on. */
export interface ChangesToUndo {
  readonly actor: { readonly actorId: string; readonly actorKeyId: string | null };
  /** `createdAt` of the change, as it is. */
  readonly since: string;
  /** The file of the change. */
  readonly path: string;
  /** Only there; else everywhere. */
  readonly isOnlyThere: boolean;
}

/** For what cannot be taken back. The action has the same words as the control that led here. */
export interface ConfirmQuestion {
  readonly title: string;
  readonly text?: string;
  readonly action: string;
  readonly cancel?: string;
}

/** The newest version of a file, as the dialog shows it on the left. */
export interface CurrentText {
  readonly version: number;
  readonly hash: string;
  readonly text: string;
  readonly who: string;
}

export type MergeOutcome =
  | { readonly kind: 'saved' }
  /** `current` holds a newer version: nothing was sent. */
  | { readonly kind: 'moved_on' }
  | { readonly kind: 'refused'; readonly message: string };

/** Two texts that a person brings together. */
export interface TextsToMerge {
  /** What is settled: a dialog that is closed and opened again for the same goes on with what was merged. */
  readonly key: string;
  readonly workspaceId: string;
  /** The file that both are versions of. */
  readonly path: string;
  /** What both began from; null when nobody knows it: then every difference is to be decided. */
  readonly base: string | null;
  readonly mine: string;
  readonly current: Pick<Store<CurrentText>, 'get' | 'subscribe'>;
  /** `left`: the version that was shown beside it. */
  save(text: string, left: { readonly version: number; readonly hash: string }): Promise<MergeOutcome>;
}

export interface OpenDialog {
  readonly id: number;
  /** Where the focus goes back to: the first that is still there. What opened a dialog below comes after its own. */
  readonly openers: readonly HTMLElement[];
  readonly request: DialogRequest;
}

/** The dialogs that are open, the topmost last. */
export const openDialogs = createStore<readonly OpenDialog[]>([]);

let lastId = 0;

/** Opens a dialog over what is open. What it returns closes it. */
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

/** What was closed in this very step: another dialog may take its place, as that of a command does the palette's. */
let replaced: OpenDialog | undefined;

/** The control that has the focus. An entry of a menu is gone with its menu: the button that opened that stands for it. */
function focusedControl(): HTMLElement | null {
  const focused = document.activeElement;
  const menu = focused?.closest('[role="menu"]');
  if (menu === null || menu === undefined) return focused instanceof HTMLElement ? focused : null;
  const trigger = document.getElementById(menu.getAttribute('aria-labelledby') ?? '');
  return trigger ?? lastContextTarget;
}

let lastContextTarget: HTMLElement | null = null;

/** The thing whose context menu is open. Its menu does not name it. */
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

/** Asks before something that cannot be taken back. Escape and Cancel answer no. */
export function askToConfirm(question: ConfirmQuestion): Promise<boolean> {
  return new Promise((resolve) => {
    openDialog({ kind: 'confirm', question, answer: resolve });
  });
}
