import assert from 'node:assert/strict';
import { applyTextEdits, mergeTexts, type TextEdit } from '@stoa/core';
import type {
  Announcement,
  Choice,
  Draft,
  Effect,
  Event,
  Failure,
  FeedChange,
  PutAnswer,
  ReadAnswer,
  VersionsAnswer,
} from '../../src/saving/messages.ts';
import { openFile, openWithDraft } from '../../src/saving/open.ts';
import { saveState } from '../../src/saving/save-state.ts';
import type { Documents, Precondition, State } from '../../src/saving/state.ts';
import { step } from '../../src/saving/step.ts';
import { FakeServer, hashOf } from './fake-server.ts';

export const texts: Documents<string> = {
  equal: (one, other) => one === other,
  isEmpty: (text) => text === '',
  byteLength: (text) => Buffer.byteLength(text),
};

export interface SentPut {
  readonly path: string;
  readonly text: string;
  readonly on: string;
  readonly refuse: boolean;
  readonly keepalive: boolean;
  readonly contentType: string;
  readonly atMs: number;
}

/** What becomes of the next PUT. */
type Fate = 'answered' | 'raced' | 'lost_before' | 'lost_after' | 'late' | 'held_before' | 'held_after';

/** A server, a clock that only the test moves, a device with drafts, and the editors open on it. */
export class World {
  readonly server = new FakeServer();
  readonly drafts = new Map<string, Draft<string>>();
  readonly desks: Desk[] = [];
  nowMs = 1_000_000;
  draftsFail = false;
  #races = 0;

  constructor(text = 'one two three\n') {
    this.server.put('a.md', text, { kind: 'none' });
  }

  open(path = 'a.md', person = 'ada'): Desk {
    const desk = new Desk(this, path, person);
    this.desks.push(desk);
    return desk;
  }

  /** The agent is faster: it writes while the PUT is on its way. */
  raceOn(path: string): void {
    if (this.server.read(path) === null) return;
    this.#races += 1;
    this.server.rewrite(path, (text) => text.replace(/one\w*/, `one${this.#races}`));
  }

  /** Runs what falls due meanwhile, in its order. */
  advance(ms: number): void {
    const end = this.nowMs + ms;
    for (let turns = 0; turns < 10_000; turns += 1) {
      const next = this.desks.filter(({ timerAt }) => timerAt !== null && timerAt <= end);
      next.sort((one, other) => (one.timerAt ?? 0) - (other.timerAt ?? 0));
      const [desk] = next;
      if (desk === undefined) {
        this.nowMs = end;
        return;
      }
      this.nowMs = Math.max(this.nowMs, desk.timerAt ?? 0);
      desk.timerAt = null;
      desk.tell({ kind: 'timer' });
    }
    assert.fail('the timers never end');
  }

  /** Every text that was typed stands in a file, a copy or a draft. */
  assertNothingLost(): void {
    for (const desk of this.desks)
      for (const words of desk.typed) assert.ok(this.keeps(words), `${JSON.stringify(words)} is nowhere`);
  }

  keeps(words: string): boolean {
    const files = this.server.paths.map((path) => this.server.textOf(path) ?? '');
    return [...files, ...[...this.drafts.values()].map(({ doc }) => doc)].some((text) =>
      text.includes(words),
    );
  }
}

let editors = 0;

/** One engine with its editor, on a network that the test breaks. */
export class Desk {
  readonly world: World;
  readonly person: string;
  readonly puts: SentPut[] = [];
  readonly said: Announcement[] = [];
  readonly applied: { readonly text: string; readonly who: string | null }[] = [];
  readonly typed = new Set<string>();
  readonly reads: string[] = [];
  state: State<string>;
  /** What the editor shows; the engine must never lose step with it. */
  shown: string;
  timerAt: number | null = null;
  fates: Fate[] = [];
  isDown = false;
  isSignedOut = false;
  mergesHeld = false;
  readsHeld = false;
  draftsHeld = false;
  busySeconds: number | null = null;
  isBack = false;
  /** PUTs whose answer, or its loss, the engine has not been told of. */
  underWay = 0;
  #held: (() => void)[] = [];
  #late: (() => void)[] = [];
  #cursor: number;
  #editor: string;
  #isAlive = true;
  /** Answers that come while a step's effects are carried out wait for their turn. */
  readonly #events: Event<string>[] = [];
  #isStepping = false;

  constructor(world: World, path: string, person: string) {
    this.world = world;
    this.person = person;
    editors += 1;
    this.#editor = `editor${editors}`;
    const { server } = world;
    const seq = server.changes.length;
    this.#cursor = seq;
    const file = server.read(path);
    assert.ok(file, `nothing at ${path}`);
    const opened = {
      path,
      contentType: file.contentType,
      file: { version: file.version, hash: file.hash, doc: file.text, seq },
    };
    this.state = openFile(opened);
    this.shown = file.text;
    const key = this.#findDraft(path);
    if (key === undefined) return;
    this.#editor = key.split('|')[2] ?? '';
    const draft = world.drafts.get(key);
    assert.ok(draft);
    const base = server
      .versions(path)
      .find(({ version, hash }) => version === draft.baseVersion && hash === draft.baseHash);
    const found = {
      ...draft,
      hash: hashOf(draft.doc),
      baseDoc: base === undefined ? null : ((base as { readonly text?: string }).text ?? null),
    };
    const stepped = openWithDraft(opened, found, world.nowMs, texts);
    this.isBack = stepped.isBack;
    this.shown = stepped.state.doc;
    this.#take(stepped);
  }

  /** Somebody else's editor may still be using it. */
  #findDraft(path: string): string | undefined {
    const living = this.world.desks.filter((desk) => desk.#isAlive).map((desk) => desk.#editor);
    return [...this.world.drafts.keys()].find((key) => {
      const [person, at, editor] = key.split('|');
      return person === this.person && at === path && !living.includes(editor ?? '');
    });
  }

  get #draftKey(): string {
    return `${this.person}|${this.state.path}|${this.#editor}`;
  }

  get saveState(): string {
    const shown = saveState(this.state, this.world.nowMs, texts);
    return shown.kind === 'refused' ? `refused: ${shown.reason.kind}` : shown.kind;
  }

  get isClean(): boolean {
    return this.state.doc === this.state.base.doc;
  }

  tell(event: Event<string>): void {
    this.#events.push(event);
    if (this.#isStepping) return;
    this.#isStepping = true;
    let steps = 0;
    for (let next = this.#events.shift(); next !== undefined && this.#isAlive; next = this.#events.shift()) {
      steps += 1;
      assert.ok(steps < 2000, 'one event leads to another without end');
      this.#take(step(this.state, next, this.world.nowMs, texts));
      assert.equal(this.shown, this.state.doc, 'editor and engine have different texts');
    }
    this.#isStepping = false;
  }

  #take({
    state,
    effects,
  }: {
    readonly state: State<string>;
    readonly effects: readonly Effect<string>[];
  }): void {
    this.state = state;
    for (const effect of effects) this.#show(effect);
    for (const effect of effects) this.#carryOut(effect);
  }

  /** Words that must not get lost, at the end or where `at` says. */
  type(words: string, at: 'end' | 'start' = 'end'): void {
    this.typed.add(words);
    this.#edit(at === 'end' ? this.shown + words : words + this.shown);
  }

  /** As the user replaces a word; the new one must not get lost. */
  replace(old: string, words: string): void {
    assert.ok(this.shown.includes(old), `the editor has no ${old}`);
    this.typed.add(words);
    this.#edit(this.shown.replace(old, words));
  }

  /** Any text; nothing is asked of it later. */
  write(text: string): void {
    this.#edit(text);
  }

  #edit(text: string): void {
    this.shown = text;
    this.tell({ kind: 'edited', doc: text });
  }

  save(): void {
    this.tell({ kind: 'save_asked' });
  }

  leave(): void {
    this.tell({ kind: 'left', page: true });
  }

  choose(choice: Choice<string>): void {
    if (choice.kind === 'merged') this.typed.add(choice.doc);
    this.tell({ kind: 'chosen', choice });
  }

  /** The version shown beside the text in conflict. */
  get left(): { readonly version: number; readonly hash: string } {
    const { hold } = this.state;
    assert.ok(hold?.kind === 'conflict' && hold.theirs !== null, 'no conflict stands');
    return hold.theirs;
  }

  get copyPath(): string | null {
    return this.state.hold?.kind === 'conflict' ? (this.state.hold.copy?.path ?? null) : null;
  }

  /** The page is closed without a word. The device keeps its drafts. */
  kill(): void {
    this.#isAlive = false;
    this.timerAt = null;
  }

  /** What the feed has to tell, in pages. */
  feed(pageSize = 100): void {
    for (;;) {
      const rest = this.world.server.changes.filter(({ seq }) => seq > this.#cursor);
      const page = rest.slice(0, pageSize);
      const nextSeq = page.at(-1)?.seq ?? this.#cursor;
      this.#cursor = nextSeq;
      if (page.length > 0)
        this.tell({ kind: 'feed_changes', changes: page.map((one) => this.#told(one)), nextSeq });
      if (nextSeq === this.world.server.changes.length) break;
    }
    this.tell({ kind: 'feed_reached_head' });
  }

  /** One page, and no word about the head. */
  feedPage(size: number): void {
    const page = this.world.server.changes.filter(({ seq }) => seq > this.#cursor).slice(0, size);
    this.#cursor = page.at(-1)?.seq ?? this.#cursor;
    this.tell({ kind: 'feed_changes', changes: page.map((one) => this.#told(one)), nextSeq: this.#cursor });
  }

  replayFeed(): void {
    const changes = this.world.server.changes.filter(({ seq }) => seq <= this.#cursor);
    this.tell({
      kind: 'feed_changes',
      changes: changes.map((one) => this.#told(one)),
      nextSeq: this.#cursor,
    });
    this.tell({ kind: 'feed_reached_head' });
  }

  #told({
    seq,
    op,
    path,
    version,
    hash,
    movedFrom,
    by,
  }: (typeof this.world.server.changes)[number]): FeedChange {
    return { seq, op, path, version, hash, movedFrom: movedFrom ?? null, who: by, isOwn: by === this.person };
  }

  /** Answers and requests that were held go on. */
  release(): void {
    const held = this.#held;
    this.#held = [];
    for (const go of held) go();
  }

  deliverLate(): void {
    const late = this.#late;
    this.#late = [];
    for (const go of late) go();
  }

  goOffline(): void {
    this.isDown = true;
    this.tell({ kind: 'feed_failing' });
  }

  goOnline(): void {
    this.isDown = false;
    this.feed();
  }

  #show(effect: Effect<string>): void {
    if (effect.kind === 'apply') {
      this.shown = applyTextEdits(this.shown, effect.edits as readonly TextEdit[]);
      this.applied.push({ text: this.shown, who: effect.who });
    }
    if (effect.kind === 'show') this.shown = effect.doc;
  }

  #carryOut(effect: Effect<string>): void {
    switch (effect.kind) {
      case 'put':
        this.#put(effect);
        return;
      case 'read':
        this.#read(effect);
        return;
      case 'read_versions': {
        const answer: VersionsAnswer = this.#failure() ?? {
          kind: 'versions',
          newestFirst: this.world.server.versions(effect.path),
        };
        this.tell({ kind: 'versions_answered', id: effect.id, answer });
        return;
      }
      case 'merge': {
        const { edits, overlaps } = mergeTexts(effect.base, effect.mine, effect.theirs, { within: 'words' });
        const doc = applyTextEdits(effect.mine, edits);
        const answer = () =>
          this.tell({ kind: 'merged', id: effect.id, edits, doc, overlaps: overlaps.length });
        if (this.mergesHeld) this.#held.push(answer);
        else answer();
        return;
      }
      case 'store_draft': {
        const { generation, draft } = effect;
        if (this.world.draftsFail) {
          this.tell({ kind: 'draft_failed', generation });
          return;
        }
        const store = () => {
          this.world.drafts.set(this.#draftKey, draft);
          this.tell({ kind: 'draft_stored', generation });
        };
        if (this.draftsHeld) this.#held.push(store);
        else store();
        return;
      }
      case 'drop_draft':
        this.world.drafts.delete(this.#draftKey);
        return;
      case 'set_timer':
        this.timerAt = effect.at;
        return;
      case 'follow_path': {
        const before = `${this.person}|${effect.from}|${this.#editor}`;
        const draft = this.world.drafts.get(before);
        this.world.drafts.delete(before);
        if (draft !== undefined) this.world.drafts.set(this.#draftKey, draft);
        return;
      }
      case 'announce':
        this.said.push(effect.announcement);
        return;
      case 'apply':
      case 'show':
        return;
    }
  }

  #put({
    id,
    path,
    doc,
    contentType,
    precondition,
    refuse,
    keepalive,
  }: Effect<string> & { readonly kind: 'put' }): void {
    this.puts.push({
      path,
      text: doc,
      on: nameOf(precondition),
      refuse,
      keepalive,
      contentType,
      atMs: this.world.nowMs,
    });
    this.tell({ kind: 'put_hashed', id, hash: hashOf(doc) });
    assert.equal(this.underWay, 0, 'two PUTs at once');
    // Into a copy a PUT is stale on purpose.
    if (this.state.sending?.aim !== 'aside')
      assert.equal(this.state.foreign, null, 'a PUT over a foreign change that is known and not merged');
    this.underWay += 1;
    const reach = (): PutAnswer => {
      const result = this.world.server.put(path, doc, precondition, { by: this.person, refuse, contentType });
      return result;
    };
    const answer = (put: PutAnswer) => {
      this.underWay -= 1;
      this.tell({ kind: 'put_answered', id, answer: put });
    };
    const lost = { kind: 'lost', pauseMs: 1000 } as const;
    const failure = this.#failure();
    if (failure !== null) {
      answer(failure);
      return;
    }
    switch (this.fates.shift() ?? 'answered') {
      case 'answered':
        answer(reach());
        return;
      case 'raced':
        this.world.raceOn(path);
        answer(reach());
        return;
      case 'lost_before':
        answer(lost);
        return;
      case 'lost_after':
        reach();
        answer(lost);
        return;
      case 'late':
        this.#late.push(() => reach());
        answer(lost);
        return;
      case 'held_before':
        this.#held.push(() => answer(reach()));
        return;
      case 'held_after': {
        const result = reach();
        this.#held.push(() => answer(result));
        return;
      }
    }
  }

  #read({ id, path, withWho }: Effect<string> & { readonly kind: 'read' }): void {
    this.reads.push(path);
    const read = (): ReadAnswer<string> => {
      const failure = this.#failure();
      if (failure !== null) return failure;
      const file = this.world.server.read(path);
      if (file === null) return { kind: 'absent' };
      return {
        kind: 'file',
        version: file.version,
        hash: file.hash,
        doc: file.text,
        who: withWho ? file.by : null,
      };
    };
    const answer = read();
    if (!this.readsHeld) {
      this.tell({ kind: 'read_answered', id, answer });
      return;
    }
    this.#held.push(() => this.tell({ kind: 'read_answered', id, answer }));
  }

  #failure(): Failure | null {
    if (this.isDown) return { kind: 'lost', pauseMs: 1000 };
    if (this.isSignedOut) return { kind: 'signed_out' };
    if (this.busySeconds !== null) return { kind: 'busy', pauseMs: this.busySeconds * 1000 };
    return null;
  }
}

function nameOf(precondition: Precondition): string {
  return precondition.kind === 'none' ? 'none' : `${precondition.version} ${precondition.hash.slice(0, 8)}`;
}
