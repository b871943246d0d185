// docs/saving.md
/** Operations of the engine on documents; it never looks into one. CodeMirror's `Text` in the app, strings in tests. */
export interface Documents<Doc> {
  equal(one: Doc, other: Doc): boolean;
  isEmpty(doc: Doc): boolean;
  /** In UTF-8. */
  byteLength(doc: Doc): number;
}

/** A version of the file on the server. */
export interface FileText<Doc> {
  /** Restarts at 1 after a move or a recreation. Only number and hash together identify a version. */
  readonly version: number;
  readonly hash: string;
  readonly doc: Doc;
  /** Position in the feed before the read. */
  readonly seq: number;
}

/** The state that a PUT expects at the path. */
export type Precondition =
  | { readonly kind: 'version'; readonly version: number; readonly hash: string }
  /** The path must be free. An existing file causes 428 and stays unchanged. */
  | { readonly kind: 'none' };

/** Purpose of a PUT. */
export type Aim =
  /** Autosave, or the user asked to save. */
  | 'save'
  /** A choice in the conflict bar: the text replaces the newest version. */
  | 'merged'
  | 'replace'
  /** Recreates a deleted file. */
  | 'again'
  /** Deliberately creates or updates a conflicted copy. */
  | 'aside';

export interface Sending<Doc> {
  readonly id: number;
  readonly aim: Aim;
  readonly path: string;
  readonly doc: Doc;
  readonly generation: number;
  readonly precondition: Precondition;
  /** Tells the server to store no copy after a lost race. Allowed only while this device keeps the text. */
  readonly rejectStale: boolean;
  /** The browser completes it even after the page has closed. */
  readonly keepalive: boolean;
  readonly since: number;
  /** Hash of the bytes; null while it is being computed, until which feed and response events wait. */
  readonly hash: string | null;
  /** The feed reported these bytes before the response arrived. */
  readonly echo: Echo | null;
}

export interface Echo {
  readonly version: number;
  readonly seq: number;
  /** The file that it created has been deleted since. */
  readonly isDeleted: boolean;
}

/** The newest unmerged change by others. */
export interface Foreign {
  readonly seq: number;
  readonly version: number;
  /** Null if the feed does not say, and after a rejected PUT. */
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
  /** Content of the copy; null if unknown, after a reload. */
  readonly doc: Doc | null;
}

export interface Known {
  readonly version: number;
  readonly hash: string;
}

export type BlockReason =
  | { readonly kind: 'read_only' }
  | { readonly kind: 'too_large'; readonly limitBytes: number }
  /** Retried automatically at `againAt`. */
  | { readonly kind: 'full'; readonly againAt: number }
  | { readonly kind: 'message'; readonly message: string };

export interface ConflictHold<Doc> {
  readonly kind: 'conflict';
  /** The newest version; null until it has been read. */
  readonly theirs: Theirs<Doc> | null;
  readonly copy: Copy<Doc> | null;
  /** A choice that waits for its PUT. */
  readonly wanted: 'keep_both' | 'replace' | 'merged' | null;
  /** Time at which the text is put into a copy automatically; null once a copy has this text. */
  readonly safeDueAt: number | null;
  /** Why the last choice, or the last attempt to create a copy, failed. */
  readonly rejectedFor: BlockReason | null;
}

/** Why saving is paused, apart from the connection. */
export type Hold<Doc> =
  | ConflictHold<Doc>
  | {
      readonly kind: 'deleted';
      readonly who: string | null;
      /** The user asked to save the text again. */
      readonly wanted: boolean;
      /** Why that failed. */
      readonly rejectedFor: BlockReason | null;
    }
  | { readonly kind: 'blocked'; readonly reason: BlockReason }
  /** The path is no longer visible to the user. Nothing is sent again. */
  | { readonly kind: 'gone' };

export type Link =
  | { readonly kind: 'up' }
  /** `until`: the time that the server named or a busy server needs; null until the feed is reachable again. */
  | { readonly kind: 'offline'; readonly until: number | null }
  | { readonly kind: 'signed_out' };

/** One request at a time. */
export type Reading<Doc> =
  | { readonly stage: 'file'; readonly id: number; readonly seq: number }
  /** The file was read; the versions show whether a lost PUT landed before. */
  | { readonly stage: 'versions'; readonly id: number; readonly seq: number; readonly theirs: Theirs<Doc> };

export interface DraftState {
  /** Generation of the text that the device keeps; null if it keeps none. */
  readonly storedGeneration: number | null;
  readonly storingGeneration: number | null;
  readonly failing: boolean;
  readonly dueAt: number | null;
  /** Time of the first edit that is not in a draft. */
  readonly unstoredSince: number | null;
  /** Time since which a PUT has waited for the draft of its text. */
  readonly awaitedSince: number | null;
}

export interface State<Doc> {
  readonly path: string;
  readonly contentType: string;
  /** The version on which the local text is based. */
  readonly base: FileText<Doc>;
  readonly doc: Doc;
  /** Counts the changes of `doc`. */
  readonly generation: number;
  readonly sending: Sending<Doc> | null;
  /** Time at which the response of `sending` was lost. */
  readonly unsureSince: number | null;
  readonly foreign: Foreign | null;
  readonly reading: Reading<Doc> | null;
  readonly merging: { readonly id: number; readonly generation: number; readonly theirs: Theirs<Doc> } | null;
  readonly link: Link;
  readonly hold: Hold<Doc> | null;
  readonly draft: DraftState;
  /** Time to send the text; null if there is no need. */
  readonly dueAt: number | null;
  readonly dirtySince: number | null;
  /** No request is sent before this time. */
  readonly retryAt: number | null;
  /** Consecutive requests that got no response, or were asked to wait. */
  readonly failures: number;
  /** Consecutive races that others won. */
  readonly races: number;
  /** Consecutive reads that found nothing at the path. */
  readonly misses: number;
  /** Consecutive reads that were outdated before their response arrived. */
  readonly rereads: number;
  /** Versions that this engine read or created since the numbers restarted, to recognise their late change records. */
  readonly known: readonly Known[];
  /** Position in the feed up to which changes were handled. */
  readonly feedSeq: number;
  /** A `delete` that may be the first half of a move. */
  readonly pendingDelete: { readonly seq: number; readonly who: string | null; readonly at: number } | null;
  /**
   * Hidden or without the focus. Browsers report both before they close a page, so requests sent now must outlive it.
   */
  readonly mayClose: boolean;
  /** The page is closing: anything not sent now stays unsent. */
  readonly isClosing: boolean;
  /** The page was left: the engine saves unsaved text, then ends. */
  readonly isLeft: boolean;
  /** The user pressed Save and has not seen the result. */
  readonly wasAsked: boolean;
  readonly nextId: number;
  readonly timerAt: number | null;
}

/** Autosave: the delay after the last edit, and the longest delay after the first. */
export const saveAfterMs = 2000;
export const saveWithinMs = 10_000;
export const draftAfterMs = 300;
export const draftWithinMs = 1000;
/** Retry delay of a failed draft, whether or not the user types. */
export const draftRetryMs = 10_000;
/** Longest time that a PUT waits for its draft. */
export const draftWaitMs = 2000;
/** After this time without a `move`, a `delete` counts. */
export const deleteBelievedMs = 2000;
/** After this time a conflict's text is put into a copy, so that it is not on one device only. */
export const safeAfterMs = 5 * 60_000;
export const fullRetryMs = 60_000;
/** Until then, a lost response still counts as pending. */
export const unsureShownMs = 5000;
/** Limit of browsers for `keepalive` requests, less room for headers. */
export const keepaliveMaxBytes = 60 * 1024;
/** Lost races without a pause. */
export const racesMax = 3;
/** Reads without a file before the path counts as gone. The feed usually reports the reason earlier. */
export const missesMax = 3;
/** Reads discarded because the feed reported a newer version during the read. The next one is merged regardless. */
export const rereadsMax = 3;
export const knownMax = 32;
