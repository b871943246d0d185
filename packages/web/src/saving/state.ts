// docs/saving.md
/** What the engine asks of documents; it never looks into one. CodeMirror's `Text` in the app, strings in tests. */
export interface Documents<Doc> {
  equal(one: Doc, other: Doc): boolean;
  isEmpty(doc: Doc): boolean;
  /** As UTF-8. */
  byteLength(doc: Doc): number;
}

/** What the server had at a time. */
export interface FileText<Doc> {
  /** Starts again at 1 after a move or a recreation: only together with the hash it names a version. */
  readonly version: number;
  readonly hash: string;
  readonly doc: Doc;
  /** The feed's position before it was read. */
  readonly seq: number;
}

/** What a PUT expects at the path. */
export type Precondition =
  | { readonly kind: 'version'; readonly version: number; readonly hash: string }
  /** Nothing may be there: an existing file is 428, and nothing happens. */
  | { readonly kind: 'none' };

/** What a PUT is for. */
export type Aim =
  /** Autosave, or a person who asked to save. */
  | 'save'
  /** A choice of the conflict bar: the text takes the place of the newest version. */
  | 'merged'
  | 'replace'
  /** A deleted file is made again. */
  | 'again'
  /** Into a conflicted copy, on purpose. */
  | 'aside';

export interface Sending<Doc> {
  readonly id: number;
  readonly aim: Aim;
  readonly path: string;
  readonly doc: Doc;
  readonly generation: number;
  readonly precondition: Precondition;
  /** The server is asked to keep nothing of a lost race: allowed only while this device keeps the text. */
  readonly refuse: boolean;
  /** The browser carries on with it after the page is closed. */
  readonly keepalive: boolean;
  readonly since: number;
  /** Of the bytes; null until it is known, which is before the feed or an answer tells anything more. */
  readonly hash: string | null;
  /** The feed told of these bytes before the answer did. */
  readonly echo: Echo | null;
}

export interface Echo {
  readonly version: number;
  readonly seq: number;
  /** What it made has been deleted since. */
  readonly isDeleted: boolean;
}

/** The newest change by others that is not merged. */
export interface Foreign {
  readonly seq: number;
  readonly version: number;
  /** Null where the feed does not say, and after a refused PUT. */
  readonly hash: string | null;
  readonly who: string | null;
}

export interface Theirs<Doc> extends FileText<Doc> {
  readonly who: string | null;
}

export interface Copy<Doc> {
  readonly path: string;
  readonly version: number;
  readonly hash: string;
  /** What lies in it; null when that is not known here, after a reload. */
  readonly doc: Doc | null;
}

export interface Known {
  readonly version: number;
  readonly hash: string;
}

export type BlockReason =
  | { readonly kind: 'read_only' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'too_large'; readonly limitBytes: number }
  /** Asked again by itself at `againAt`. */
  | { readonly kind: 'full'; readonly againAt: number }
  | { readonly kind: 'message'; readonly message: string };

export interface ConflictHold<Doc> {
  readonly kind: 'conflict';
  /** The newest version; null until it has been read. */
  readonly theirs: Theirs<Doc> | null;
  readonly copy: Copy<Doc> | null;
  /** A choice that waits for its PUT. */
  readonly wanted: 'keep_both' | 'replace' | 'merged' | null;
  /** When the text goes into a copy by itself; null once this text lies in one. */
  readonly safeDueAt: number | null;
  /** Why the last choice, or the last try to make it safe, did not go through. */
  readonly refusedFor: BlockReason | null;
}

/** Why nothing is saved, apart from the connection. */
export type Hold<Doc> =
  | ConflictHold<Doc>
  | {
      readonly kind: 'deleted';
      readonly who: string | null;
      /** Somebody asked to save the text again. */
      readonly wanted: boolean;
      /** Why that did not go through. */
      readonly refusedFor: BlockReason | null;
    }
  | { readonly kind: 'blocked'; readonly reason: BlockReason }
  /** The path is no longer visible to this person. Nothing is ever sent again. */
  | { readonly kind: 'gone' };

export type Link =
  | { readonly kind: 'up' }
  /** `until` when the server named a time, or was busy; null until the feed is reached again. */
  | { readonly kind: 'offline'; readonly until: number | null }
  | { readonly kind: 'signed_out' };

/** One request at a time. */
export type Reading<Doc> =
  | { readonly stage: 'file'; readonly id: number; readonly seq: number }
  /** The file has been read, and whether a lost PUT landed before it is still to be found. */
  | { readonly stage: 'versions'; readonly id: number; readonly seq: number; readonly theirs: Theirs<Doc> };

export interface DraftState {
  /** Which text the device keeps; null: none. */
  readonly storedGeneration: number | null;
  readonly storingGeneration: number | null;
  readonly failing: boolean;
  readonly dueAt: number | null;
  /** The first edit that no draft has. */
  readonly unstoredSince: number | null;
  /** A PUT waits for the draft of its text since then. */
  readonly awaitedSince: number | null;
}

export interface State<Doc> {
  readonly path: string;
  readonly contentType: string;
  /** What the local text began from. */
  readonly base: FileText<Doc>;
  readonly doc: Doc;
  /** Counts every change of `doc`. */
  readonly generation: number;
  readonly sending: Sending<Doc> | null;
  /** Since when the answer of `sending` is lost. */
  readonly unsureSince: number | null;
  readonly foreign: Foreign | null;
  readonly reading: Reading<Doc> | null;
  readonly merging: { readonly id: number; readonly generation: number; readonly theirs: Theirs<Doc> } | null;
  readonly link: Link;
  readonly hold: Hold<Doc> | null;
  readonly draft: DraftState;
  /** When the text is to be sent; null when it need not be. */
  readonly dueAt: number | null;
  readonly dirtySince: number | null;
  /** Nothing is asked of the server before. */
  readonly retryAt: number | null;
  /** Answers in a row that did not come, or told to wait. */
  readonly failures: number;
  /** Races in a row that others won. */
  readonly races: number;
  /** Reads in a row that found nothing at the path. */
  readonly misses: number;
  /** Reads in a row that were outdated before they were answered. */
  readonly rereads: number;
  /** Versions that this engine had or made since the numbers began, so that a late record of one is no news. */
  readonly known: readonly Known[];
  /** How far the feed has been followed. */
  readonly feedSeq: number;
  /** A `delete` that may be one half of a move. */
  readonly pendingDelete: { readonly seq: number; readonly who: string | null; readonly at: number } | null;
  /** Hidden, or without the focus: browsers tell of both before a page is closed, so that what is sent has to outlive it. */
  readonly mayClose: boolean;
  /** Its page is being closed: what is not sent now is sent by nobody. */
  readonly isClosing: boolean;
  /** Its page has been left: what is unsaved still is saved, and then the engine ends. */
  readonly isLeft: boolean;
  /** Somebody pressed save and has not heard of it. */
  readonly wasAsked: boolean;
  readonly nextId: number;
  readonly timerAt: number | null;
}

/** Autosave: this long after the last edit, and at the latest this long after the first. */
export const saveAfterMs = 2000;
export const saveWithinMs = 10_000;
export const draftAfterMs = 300;
export const draftWithinMs = 1000;
/** A text that could not be stored is tried again, typed on or not. */
export const draftRetryMs = 10_000;
/** A draft store that does not answer holds no PUT up for longer. */
export const draftWaitMs = 2000;
/** A `delete` that no `move` follows is believed after this. */
export const deleteBelievedMs = 2000;
/** A conflict that stands this long goes into a copy, so that the text is not on one device alone. */
export const safeAfterMs = 5 * 60_000;
export const fullRetryMs = 60_000;
/** Until then a lost answer still counts as being on its way. */
export const unsureShownMs = 5000;
/** What browsers carry on sending after the page is closed, less room for headers. */
export const keepaliveMaxBytes = 60 * 1024;
/** Races that are lost without a pause. */
export const racesMax = 3;
export const pauseMaxMs = 60_000;
/** Reads that find nothing before the path counts as gone; the feed usually tells earlier what became of it. */
export const missesMax = 3;
/** Reads that are thrown away because the feed told of a newer version meanwhile; the next one is merged as it is. */
export const rereadsMax = 3;
export const knownMax = 32;
