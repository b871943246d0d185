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
  /** Said at once, and there until it is closed. */
  readonly failure?: boolean;
  /** There until it is closed or taken away: for long work, and for what a person has to answer. */
  readonly stays?: boolean;
}

export interface ShownNotice extends Notice {
  readonly id: number;
}

/** A notice that is on the screen, for whoever put it there. */
export interface NoticeHandle {
  /** Shows something else in its place. */
  change(notice: Notice): void;
  close(): void;
}

/** More than these would cover the page: the oldest that would pass by itself goes first. */
export const noticesMax = 5;

export const shownNotices = createStore<readonly ShownNotice[]>([]);

/** What screen readers are to say once, without a notice on the screen. */
export const announcement = createStore<{ readonly id: number; readonly text: string }>({ id: 0, text: '' });

let lastId = 0;

/** Says what happened, with the way back among its actions. */
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

export function closeNotice(id: number): void {
  shownNotices.set(shownNotices.get().filter((shown) => shown.id !== id));
}

export function announce(text: string): void {
  lastId += 1;
  announcement.set({ id: lastId, text });
}

/** Failures and long work are never pushed out: somebody has to see them. */
function fitting(notices: readonly ShownNotice[]): readonly ShownNotice[] {
  const passing = notices.filter((notice) => !lasts(notice));
  const tooMany = new Set(passing.slice(0, Math.max(0, notices.length - noticesMax)));
  return tooMany.size === 0 ? notices : notices.filter((notice) => !tooMany.has(notice));
}

export function lasts(notice: Notice): boolean {
  return notice.failure === true || notice.stays === true;
}
