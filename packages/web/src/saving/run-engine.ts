import { retryPauseMs, StoaApiError, StoaConnectionError } from '@stoa/client';
import type { ChangeRecord } from '@stoa/contract';
import { applyTextEdits, type TextEdit } from '@stoa/core';
import { client } from '../api/client.ts';
import { decodeText } from '../api/decode-text.ts';
import type { FeedConnection } from '../api/feed-connection.ts';
import { sha256Hex } from '../api/sha256.ts';
import { mergeInApp } from '../merging/merge-in-app.ts';
import { createStore, type Store } from '../store/store.ts';
import { saving as texts } from '../text/en/saving.ts';
import { failureOf, resultOfFailedWrite, resultOfWrite } from './api-responses.ts';
import { type DraftLocation, dropDraft, moveDraft, storeDraft } from './drafts.ts';
import type {
  Announcement,
  Effect,
  Event,
  FeedChange,
  PutResponse,
  ReadResponse,
  Stepped,
  VersionsResponse,
} from './messages.ts';
import { movedRange } from './moved-range.ts';
import type { OpenDocument, SavedText } from './open-documents.ts';
import type { Documents, FileText, State } from './state.ts';
import { step } from './step.ts';

export interface EditorDocuments<Doc> extends Documents<Doc> {
  fromText(text: string): Doc;
  toText(doc: Doc): string;
}

/** The view of the engine's text while its page is open. */
export interface ShownEditor<Doc> {
  /** Applies edits by others, outside the undo history. */
  apply(
    edits: readonly TextEdit[],
    by: { readonly who: string | null; readonly version: FileText<Doc> },
  ): void;
  /** Shows another text, as a step that can be undone. */
  show(doc: Doc): void;
}

export interface EngineDependencies<Doc> {
  readonly feed: FeedConnection;
  readonly documents: EditorDocuments<Doc>;
  readonly location: DraftLocation;
  /** Display name of a change's author. */
  nameOf(actor: Pick<ChangeRecord, 'principal' | 'actorId' | 'actorKeyId' | 'actorLabel'>): string;
  announce(announcement: Announcement, engine: RunningEngine<Doc>): void;
}

const encoder = new TextEncoder();

/** Time limit of a save that a caller waits for. */
const saveWaitMs = 20_000;

/** After this time a response counts as lost, as for any other request. The upload of the bytes gets extra time. */
const responseWaitMs = 30_000;
const slowestBytesPerMs = 4;

/** Runs the engine's effects and reports their results to it. The engine makes all decisions. */
export class RunningEngine<Doc> implements OpenDocument {
  readonly store: Store<State<Doc>>;
  readonly documents: EditorDocuments<Doc>;
  /** State that the editor needs again after a change of mode. */
  memory: unknown = null;
  readonly #around: EngineDependencies<Doc>;
  readonly #ends: (() => void)[] = [];
  #location: DraftLocation;
  #editor: ShownEditor<Doc> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #textOfDoc: { readonly doc: Doc; readonly text: string } | null = null;
  #textOfBase: { readonly doc: Doc; readonly text: string } | null = null;
  /** Set while the bytes of a sent PUT are being hashed. */
  #hashing: Promise<string> | null = null;
  /** Serialises draft writes: the newest must be the last. */
  #drafts: Promise<void> = Promise.resolve();

  constructor(around: EngineDependencies<Doc>, state: State<Doc>) {
    this.#around = around;
    this.#location = around.location;
    this.documents = around.documents;
    this.store = createStore(state);
  }

  get state(): State<Doc> {
    return this.store.get();
  }

  get workspaceId(): string {
    return this.#location.workspaceId;
  }

  /** Whether the text is neither on the server nor on this device. */
  get isAtRisk(): boolean {
    const { state } = this;
    return this.isDirty && state.draft.storedGeneration !== state.generation;
  }

  get isDirty(): boolean {
    return !this.documents.equal(this.state.doc, this.state.base.doc);
  }

  get path(): string {
    return this.state.path;
  }

  get text(): string {
    const { doc } = this.state;
    if (this.#textOfDoc?.doc !== doc) this.#textOfDoc = { doc, text: this.documents.toText(doc) };
    return this.#textOfDoc.text;
  }

  get saved(): SavedText {
    const { doc, version } = this.state.base;
    if (this.#textOfBase?.doc !== doc)
      this.#textOfBase = { doc, text: this.isDirty ? this.documents.toText(doc) : this.text };
    return { text: this.#textOfBase.text, version };
  }

  moved = movedRange;

  async save(): Promise<SavedText> {
    this.notify({ kind: 'save_asked' });
    await new Promise<void>((resolve, reject) => {
      const look = (): void => {
        const { hold, link } = this.state;
        const isStuck = hold !== null || link.kind !== 'up';
        if (this.isDirty && !isStuck) return;
        end();
        if (isStuck) reject(new Error(texts.notSavedYetForComment));
        else resolve();
      };
      const timer = setTimeout(() => {
        end();
        reject(new Error(texts.notSavedYetForComment));
      }, saveWaitMs);
      const unsubscribe = this.store.subscribe(look);
      const end = (): void => {
        clearTimeout(timer);
        unsubscribe();
      };
      look();
    });
    return this.saved;
  }

  show(): () => void {
    this.notify({ kind: 'shown', page: true });
    return () => this.notify({ kind: 'left', page: true });
  }

  /**
   * Whether the engine can end: its page is closed, and the server has the text. If the server will never accept it,
   * the draft has it.
   */
  get isFinished(): boolean {
    const { isLeft, sending, reading, merging, hold } = this.state;
    if (!isLeft) return false;
    if (hold?.kind === 'gone') return !this.isAtRisk;
    return !this.isDirty && sending === null && reading === null && merging === null;
  }

  /** Starts from the result of opening the file. */
  start({ state, effects }: Stepped<Doc>): void {
    const { feed } = this.#around;
    this.#ends.push(
      feed.subscribe({
        page: ({ changes, nextSeq }) =>
          this.#notifyHashed({
            kind: 'feed_changes',
            changes: changes.map((change) => this.#feedChange(change)),
            nextSeq,
          }),
        reachedHead: () => this.#notifyHashed({ kind: 'feed_reached_head' }),
      }),
      feed.state.subscribe(() => {
        const { kind, ...now } = feed.state.get();
        if (kind === 'failing') this.notify({ kind: 'feed_failing' });
        const isShutOut = 'status' in now && (now.status === 403 || now.status === 404);
        if (kind === 'stopped' && isShutOut) this.notify({ kind: 'shut_out' });
      }),
    );
    this.#take({ state, effects });
    if (feed.state.get().kind === 'failing') this.notify({ kind: 'feed_failing' });
  }

  notify(event: Event<Doc>): void {
    this.#take(step(this.state, event, Date.now(), this.documents));
  }

  /**
   * Delays events that may concern the bytes being sent. Without their hash, the engine would take them for another
   * user's.
   */
  #notifyHashed(event: Event<Doc>): void {
    if (this.#hashing === null) this.notify(event);
    else void this.#hashing.then(() => this.notify(event));
  }

  attach(editor: ShownEditor<Doc>): () => void {
    this.#editor = editor;
    this.notify({ kind: 'shown', page: true });
    return () => {
      if (this.#editor === editor) this.#editor = null;
    };
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const end of this.#ends.splice(0)) end();
  }

  /** Adds a function that is called when the engine ends. */
  onClose(end: () => void): void {
    this.#ends.push(end);
  }

  #take({ state, effects }: Stepped<Doc>): void {
    this.store.set(state);
    for (const effect of effects) this.#execute(effect);
  }

  #execute(effect: Effect<Doc>): void {
    switch (effect.kind) {
      case 'put':
        void this.#put(effect);
        return;
      case 'read':
        void this.#read(effect);
        return;
      case 'read_versions':
        void this.#readVersions(effect);
        return;
      case 'merge':
        void this.#merge(effect);
        return;
      case 'apply':
        this.#editor?.apply(effect.edits as readonly TextEdit[], effect);
        return;
      case 'show':
        this.#editor?.show(effect.doc);
        return;
      case 'store_draft':
        this.#storeDraft(effect);
        return;
      case 'drop_draft': {
        const location = this.#location;
        this.#queueDraft(() => dropDraft(location));
        return;
      }
      case 'set_timer':
        this.#setTimer(effect.at);
        return;
      case 'follow_path': {
        const from = this.#location;
        this.#location = { ...from, path: effect.to };
        const to = this.#location;
        this.#queueDraft(() => moveDraft(from, to));
        return;
      }
      case 'announce':
        this.#around.announce(effect.announcement, this);
        return;
    }
  }

  #setTimer(at: number | null): void {
    clearTimeout(this.#timer);
    if (at === null) return;
    // A longer delay would fire at once. The engine sets the timer again.
    const delayMs = Math.min(Math.max(0, at - Date.now()), 0x7fff_ffff);
    this.#timer = setTimeout(() => this.notify({ kind: 'timer' }), delayMs);
  }

  async #put({
    id,
    path,
    doc,
    contentType,
    precondition,
    rejectStale: reject,
    keepalive,
  }: Effect<Doc> & { readonly kind: 'put' }) {
    const bytes = encoder.encode(this.documents.toText(doc));
    const hashed = sha256Hex(bytes).then((hash) => {
      this.#hashing = null;
      this.notify({ kind: 'put_hashed', id, hash });
      return hash;
    });
    this.#hashing = hashed;
    // A closing page cannot wait for the hash: a `keepalive` request must leave at once.
    if (!keepalive) await hashed;
    const on =
      precondition.kind === 'none'
        ? precondition
        : { kind: 'version' as const, version: precondition.version, contentHash: precondition.hash };
    let response: PutResponse;
    // A dead connection may give no error, and would block every other request for as long as an upload may take.
    const deadline = new AbortController();
    const timer = setTimeout(
      () => deadline.abort(new StoaConnectionError('The save got no response')),
      responseWaitMs + bytes.length / slowestBytesPerMs,
    );
    try {
      const outcome = await client.writeFile(this.workspaceId, path, bytes, on, {
        contentType,
        onConflict: reject ? 'refuse' : 'keep',
        allowEmpty: true,
        signal: deadline.signal,
        ...(keepalive ? { keepalive } : {}),
      });
      response = resultOfWrite(outcome, await hashed);
    } catch (error) {
      await hashed;
      response = resultOfFailedWrite(error, (asked) => this.#pauseMs(asked));
    } finally {
      clearTimeout(timer);
    }
    this.notify({ kind: 'put_answered', id, response });
  }

  async #read({ id, path, withWho }: Effect<Doc> & { readonly kind: 'read' }) {
    this.notify({ kind: 'read_answered', id, response: await this.#readResponse(path, withWho) });
  }

  async #readResponse(path: string, withWho: boolean): Promise<ReadResponse<Doc>> {
    try {
      const file = await client.readFile(this.workspaceId, path);
      if (file.kind === 'not_modified') return { kind: 'lost', pauseMs: this.#pauseMs(null) };
      const { version } = file;
      const bytes = new Uint8Array(await file.bytes());
      const hash = await sha256Hex(bytes);
      const decoded = decodeText(bytes);
      if (decoded.kind !== 'text') return { kind: 'unreadable', message: texts.notText };
      const { nameOf } = this.#around;
      const who = withWho ? await whoMade(this.workspaceId, path, { version, hash }, nameOf) : null;
      return { kind: 'file', version, hash, doc: this.documents.fromText(decoded.text), who };
    } catch (error) {
      // The feed knows whether it was deleted, moved or hidden.
      if (error instanceof StoaApiError && error.status === 404) return { kind: 'absent' };
      return failureOf(error, (asked) => this.#pauseMs(asked));
    }
  }

  async #readVersions({ id, path }: Effect<Doc> & { readonly kind: 'read_versions' }) {
    let response: VersionsResponse;
    try {
      const { versions } = await client.listVersions(this.workspaceId, path);
      response = {
        kind: 'versions',
        newestFirst: versions.map(({ version, contentHash }) => ({ version, hash: contentHash })),
      };
    } catch (error) {
      const isAbsent = error instanceof StoaApiError && error.status === 404;
      response = isAbsent ? { kind: 'absent' } : failureOf(error, (asked) => this.#pauseMs(asked));
    }
    this.notify({ kind: 'versions_answered', id, response });
  }

  async #merge({ id, base, mine, theirs }: Effect<Doc> & { readonly kind: 'merge' }) {
    const { documents } = this;
    const text = documents.toText(mine);
    const question = { base: documents.toText(base), mine: text, theirs: documents.toText(theirs) };
    const { edits, overlaps } = await mergeInApp(question);
    const doc = documents.fromText(applyTextEdits(text, edits));
    this.notify({ kind: 'merged', id, edits, doc, overlaps });
  }

  #storeDraft({ generation, draft }: Effect<Doc> & { readonly kind: 'store_draft' }): void {
    const { doc, ...facts } = draft;
    const text = this.documents.toText(doc);
    // Use the current location: if the file moves while this waits, the draft moves with it.
    const location = this.#location;
    this.#queueDraft(async () => {
      try {
        await storeDraft(location, { ...facts, text, savedAt: Date.now() });
        this.notify({ kind: 'draft_stored', generation });
      } catch {
        this.notify({ kind: 'draft_failed', generation });
      }
    });
  }

  #queueDraft(write: () => Promise<void>): void {
    this.#drafts = this.#drafts.then(write).catch(() => undefined);
  }

  #pauseMs(retryAfterSeconds: number | null): number {
    return retryPauseMs(this.state.failures + 1, retryAfterSeconds, Math.random());
  }

  #feedChange({ seq, op, path, version, contentHash, movedFrom, ...actor }: ChangeRecord): FeedChange {
    const isOwn = actor.actorKeyId === null && actor.actorId === this.#location.userId;
    return {
      seq,
      op,
      path,
      version,
      hash: contentHash,
      movedFrom: movedFrom ?? null,
      who: this.#around.nameOf(actor),
      isOwn,
    };
  }
}

/** Looks up the author's name of a version. Null if not found, because a missing name must not block anything. */
async function whoMade<Doc>(
  workspaceId: string,
  path: string,
  { version, hash }: { readonly version: number; readonly hash: string },
  nameOf: EngineDependencies<Doc>['nameOf'],
): Promise<string | null> {
  try {
    const { versions } = await client.listVersions(workspaceId, path);
    const made = versions.find((one) => one.version === version && one.contentHash === hash);
    return made === undefined ? null : nameOf(made);
  } catch {
    return null;
  }
}
