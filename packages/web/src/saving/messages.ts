import type { Documents, FileText, Precondition, State } from './state.ts';

/** The fields of a change record that the engine uses. `who` is the displayed name. */
export interface FeedChange {
  readonly seq: number;
  readonly op: string;
  readonly path: string;
  readonly version: number | null;
  readonly hash: string | null;
  readonly movedFrom: string | null;
  readonly who: string;
  /** Made by a session of the same user, possibly this one. */
  readonly isOwn: boolean;
}

export type PutResponse =
  | { readonly kind: 'saved'; readonly version: number; readonly hash: string; readonly isNew: boolean }
  /** 412; the server kept nothing. */
  | { readonly kind: 'refused'; readonly currentVersion: number }
  /** 412; the server stored the bytes as a conflicted copy. */
  | {
      readonly kind: 'kept_aside';
      readonly currentVersion: number;
      readonly copyPath: string;
      readonly hash: string;
    }
  /** 428: another user created a file there. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'too_large'; readonly limitBytes: number }
  | { readonly kind: 'full' }
  | { readonly kind: 'read_only' }
  | { readonly kind: 'rejected'; readonly message: string }
  | Failure;

/** Failures of any request. `pauseMs`: the shortest wait before a retry. */
export type Failure =
  /** Whether the server executed it is unknown. */
  | { readonly kind: 'lost'; readonly pauseMs: number }
  | { readonly kind: 'busy'; readonly pauseMs: number }
  | { readonly kind: 'signed_out' }
  | { readonly kind: 'gone' };

export type ReadResponse<Doc> =
  | {
      readonly kind: 'file';
      readonly version: number;
      readonly hash: string;
      readonly doc: Doc;
      readonly who: string | null;
    }
  /** 404: deleted, moved or no longer visible. The feed knows which. */
  | { readonly kind: 'absent' }
  /** The file is not text any more. */
  | { readonly kind: 'unreadable'; readonly message: string }
  | Failure;

export type VersionsResponse =
  | {
      readonly kind: 'versions';
      readonly newestFirst: readonly { readonly version: number; readonly hash: string }[];
    }
  | { readonly kind: 'absent' }
  | Failure;

export type Choice<Doc> =
  | { readonly kind: 'keep_both' }
  | { readonly kind: 'replace' }
  /** `left`: the version shown next to it. */
  | {
      readonly kind: 'merged';
      readonly doc: Doc;
      readonly left: { readonly version: number; readonly hash: string };
    }
  | { readonly kind: 'save_again' }
  | { readonly kind: 'discard' };

export type Event<Doc> =
  | { readonly kind: 'edited'; readonly doc: Doc }
  | { readonly kind: 'timer' }
  | { readonly kind: 'save_asked' }
  /** `page`: another page is shown, or this one was closed; otherwise only the focus moved. */
  | { readonly kind: 'left'; readonly page: boolean }
  | { readonly kind: 'hidden' }
  /** The page is closing. Nothing runs afterwards, unless the browser restores it from its back/forward cache. */
  | { readonly kind: 'closed' }
  /** Visible and focused again. `page`: its page was opened again. */
  | { readonly kind: 'shown'; readonly page: boolean }
  | { readonly kind: 'put_hashed'; readonly id: number; readonly hash: string }
  | { readonly kind: 'put_answered'; readonly id: number; readonly response: PutResponse }
  | { readonly kind: 'read_answered'; readonly id: number; readonly response: ReadResponse<Doc> }
  | { readonly kind: 'versions_answered'; readonly id: number; readonly response: VersionsResponse }
  /** `edits` change the text given to the merge into `doc`. Both are unusable if `overlaps` is above 0. */
  | {
      readonly kind: 'merged';
      readonly id: number;
      readonly edits: unknown;
      readonly doc: Doc;
      readonly overlaps: number;
    }
  | { readonly kind: 'feed_changes'; readonly changes: readonly FeedChange[]; readonly nextSeq: number }
  | { readonly kind: 'feed_reached_head' }
  | { readonly kind: 'feed_failing' }
  /** No longer a member: nothing of the workspace is visible. */
  | { readonly kind: 'shut_out' }
  | { readonly kind: 'draft_stored'; readonly generation: number }
  | { readonly kind: 'draft_failed'; readonly generation: number }
  /** The session has ended. It is not known yet who signs in next. */
  | { readonly kind: 'signed_out' }
  | { readonly kind: 'signed_in'; readonly isSamePerson: boolean }
  | { readonly kind: 'chosen'; readonly choice: Choice<Doc> };

/** The draft on the device. */
export interface Draft<Doc> {
  readonly doc: Doc;
  readonly baseVersion: number;
  readonly baseHash: string;
  readonly contentType: string;
  /** Hash of the running PUT: if the page is killed, it tells later whether that PUT landed. */
  readonly sentHash: string | null;
  readonly copy: { readonly path: string; readonly version: number; readonly hash: string } | null;
}

/** A message for the user, shown once. */
export type Announcement =
  | { readonly kind: 'saved' }
  /** A save recreated a file that others had deleted. */
  | { readonly kind: 'brought_back'; readonly path: string }
  | {
      readonly kind: 'changed_by';
      readonly who: string | null;
      readonly version: number;
      readonly hash: string;
    }
  | { readonly kind: 'moved'; readonly from: string; readonly to: string; readonly who: string }
  | { readonly kind: 'merged_saved'; readonly version: number; readonly copy: CopyName | null }
  | { readonly kind: 'replaced'; readonly version: number; readonly copy: CopyName | null }
  | { readonly kind: 'kept_as'; readonly copyPath: string }
  /** The choice was based on a version that is no longer the newest. Nothing was sent. */
  | { readonly kind: 'moved_on'; readonly who: string | null; readonly version: number };

export interface CopyName {
  readonly path: string;
  readonly version: number;
  readonly hash: string;
}

export type Effect<Doc> =
  | {
      readonly kind: 'put';
      readonly id: number;
      readonly path: string;
      readonly doc: Doc;
      readonly contentType: string;
      readonly precondition: Precondition;
      readonly rejectStale: boolean;
      readonly keepalive: boolean;
    }
  /** `withWho`: the author is needed, because the feed has not reported it. */
  | { readonly kind: 'read'; readonly id: number; readonly path: string; readonly withWho: boolean }
  | { readonly kind: 'read_versions'; readonly id: number; readonly path: string }
  | {
      readonly kind: 'merge';
      readonly id: number;
      readonly base: Doc;
      readonly mine: Doc;
      readonly theirs: Doc;
    }
  /** Applies edits in the editor, outside its undo history. */
  | {
      readonly kind: 'apply';
      readonly edits: unknown;
      readonly who: string | null;
      readonly version: FileText<Doc>;
    }
  /** Replaces the editor's text in one step that can be undone. */
  | { readonly kind: 'show'; readonly doc: Doc }
  | { readonly kind: 'store_draft'; readonly generation: number; readonly draft: Draft<Doc> }
  | { readonly kind: 'drop_draft' }
  /** Sets the only timer; null stops it. */
  | { readonly kind: 'set_timer'; readonly at: number | null }
  | { readonly kind: 'follow_path'; readonly from: string; readonly to: string }
  | { readonly kind: 'announce'; readonly announcement: Announcement };

export interface Stepped<Doc> {
  readonly state: State<Doc>;
  readonly effects: readonly Effect<Doc>[];
}

/** A running step of the reducer: the state so far, and the effects to run. */
export class Step<Doc> {
  readonly effects: Effect<Doc>[] = [];
  state: State<Doc>;
  readonly nowMs: number;
  readonly docs: Documents<Doc>;

  constructor(state: State<Doc>, nowMs: number, docs: Documents<Doc>) {
    this.state = state;
    this.nowMs = nowMs;
    this.docs = docs;
  }

  set(part: Partial<State<Doc>>): void {
    this.state = { ...this.state, ...part };
  }

  do(effect: Effect<Doc>): void {
    this.effects.push(effect);
  }

  say(announcement: Announcement): void {
    this.effects.push({ kind: 'announce', announcement });
  }

  takeId(): number {
    const id = this.state.nextId;
    this.set({ nextId: id + 1 });
    return id;
  }

  /** Whether the server lacks this text. */
  get isDirty(): boolean {
    return !this.docs.equal(this.state.doc, this.state.base.doc);
  }
}
