import { createStore } from '../store/store.ts';

export interface NoticeAction {
  readonly label: string;
  run(): void;
}

export interface Notice {
  readonly text: string;
  readonly actions?: readonly NoticeAction[];
  /** Links in the notice: `See version 7`. */
  readonly links?: readonly { readonly label: string; readonly address: string }[];
  /** Announced at once, and shown until it is closed. */
  readonly failure?: boolean;
  /** Shown until it is closed or removed: for long work, and for questions to the user. */
  readonly stays?: boolean;
}

export interface ShownNotice extends Notice {
  readonly id: number;
}

/** Lets the creator of a notice update or close it. */
export interface NoticeHandle {
  /** Replaces its content. */
  change(notice: Notice): void;
  close(): void;
}

/** More would cover the page: the oldest notice that expires automatically is removed first. */
export const noticesMax = 5;

export const shownNotices = createStore<readonly ShownNotice[]>([]);

/** A message for screen readers, announced once without a visible notice. */
export const announcement = createStore<{ readonly id: number; readonly text: string }>({ id: 0, text: '' });

let lastId = 0;

/** Shows a notice; its actions may include Undo. */
export function notify(notice: Notice): NoticeHandle {
  lastId += 1;
  const id = lastId;
  shownNotices.set(fitting([...shownNotices.get(), { ...notice, id }]));
  return {
    change: (next) =>
      shownNotices.set(shownNotices.get().map((shown) => (shown.id === id ? { ...next, id } : shown))),
    close: () => closeNotice(id),
  };
}

/** Shows why a control or a command is disabled: once, however often the user tries. */
export function sayWhyNot(reason: string): void {
  if (!shownNotices.get().some(({ text }) => text === reason)) notify({ text: reason });
}

export function closeNotice(id: number): void {
  shownNotices.set(shownNotices.get().filter((shown) => shown.id !== id));
}

export function announce(text: string): void {
  lastId += 1;
  announcement.set({ id: lastId, text });
}

/** Removes surplus notices, except failures and long work, which the user must see. */
function fitting(notices: readonly ShownNotice[]): readonly ShownNotice[] {
  const passing = notices.filter((notice) => !lasts(notice));
  const tooMany = new Set(passing.slice(0, Math.max(0, notices.length - noticesMax)));
  return tooMany.size === 0 ? notices : notices.filter((notice) => !tooMany.has(notice));
}

export function lasts(notice: Notice): boolean {
  return notice.failure === true || notice.stays === true;
}
