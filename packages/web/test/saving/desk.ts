import assert from 'node:assert/strict';
import { applyTextEdits, mergeTexts, type TextEdit } from '@stoa/core';
import type { Announcement, Choice, Effect, Event } from '../../src/saving/messages.ts';
import { openFile, openWithDraft } from '../../src/saving/open.ts';
import { savedSince } from '../../src/saving/reading-theirs.ts';
import { saveState } from '../../src/saving/save-state.ts';
import type { State } from '../../src/saving/state.ts';
import { step } from '../../src/saving/step.ts';
import { Connection } from './connection.ts';
import { hashOf } from './fake-server.ts';
import { texts, type World } from './world.ts';

let editors = 0;

/** One engine with its editor, its device and the user who types. */
export class Desk extends Connection {
  readonly said: Announcement[] = [];
  readonly applied: { readonly text: string; readonly who: string | null }[] = [];
  readonly typed = new Set<string>();
  state: State<string>;
  /** Text in the editor. The engine must always have the same text. */
  shown: string;
  timerAt: number | null = null;
  mergesHeld = false;
  draftsHeld = false;
  isBack = false;
  #editor: string;
  #isAlive = true;
  /** Delayed writes to the device. Writes are sequential, so a delayed one delays those after it. */
  #heldWrites: (() => void)[] = [];
  /** Events that arrive while the effects of a step run wait in this queue. */
  readonly #events: Event<string>[] = [];
  #isStepping = false;

  constructor(world: World, path: string, person: string) {
    super(world, person);
    editors += 1;
    this.#editor = `editor${editors}`;
    const { server } = world;
    const file = server.read(path);
    assert.ok(file, `nothing at ${path}`);
    const opened = {
      path,
      contentType: file.contentType,
      file: { version: file.version, hash: file.hash, doc: file.text, seq: server.changes.length },
    };
    this.state = openFile(opened);
    this.shown = file.text;
    const key = this.#findDraft(path);
    if (key === undefined) return;
    this.#editor = key.split('|')[2] ?? '';
    const draft = world.drafts.get(key);
    assert.ok(draft);
    const hash = hashOf(draft.doc);
    const began = { version: draft.baseVersion, hash: draft.baseHash };
    const from = savedSince(server.versions(path), began, [hash, draft.sentHash]) ?? began;
    const base = server.versions(path).find((one) => one.version === from.version && one.hash === from.hash);
    const found = {
      ...draft,
      baseVersion: from.version,
      baseHash: from.hash,
      hash,
      fileBy: file.by,
      baseDoc: base === undefined ? null : ((base as { readonly text?: string }).text ?? null),
    };
    const stepped = openWithDraft(opened, found, world.nowMs, texts);
    this.isBack = stepped.isBack;
    this.shown = stepped.state.doc;
    this.#take(stepped);
  }

  /** Finds a draft that no other open editor uses. */
  #findDraft(path: string): string | undefined {
    const alive = this.world.desks.filter((desk) => desk.#isAlive).map((desk) => desk.#editor);
    return [...this.world.drafts.keys()].find((key) => {
      const [person, at, editor] = key.split('|');
      return person === this.person && at === path && !alive.includes(editor ?? '');
    });
  }

  get saveState(): string {
    const shown = saveState(this.state, this.world.nowMs, texts);
    return shown.kind === 'refused' ? `refused: ${shown.reason.kind}` : shown.kind;
  }

  get isClean(): boolean {
    return this.state.doc === this.state.base.doc;
  }

  /** The version shown next to the text in conflict. */
  get left(): { readonly version: number; readonly hash: string } {
    const { hold } = this.state;
    assert.ok(hold?.kind === 'conflict' && hold.theirs !== null, 'there is no conflict');
    return hold.theirs;
  }

  get copyPath(): string | null {
    return this.state.hold?.kind === 'conflict' ? (this.state.hold.copy?.path ?? null) : null;
  }

  /** Types words that must not get lost, at the end or at the start. */
  type(words: string, at: 'end' | 'start' = 'end'): void {
    this.typed.add(words);
    this.write(at === 'end' ? this.shown + words : words + this.shown);
  }

  /** Replaces a word; the new one must not get lost. */
  replace(old: string, words: string): void {
    assert.ok(this.shown.includes(old), `the editor has no ${old}`);
    this.typed.add(words);
    this.write(this.shown.replace(old, words));
  }

  /** Sets any text. The test does not check that it survives. */
  write(text: string): void {
    this.shown = text;
    this.notify({ kind: 'edited', doc: text });
  }

  save(): void {
    this.notify({ kind: 'save_asked' });
  }

  leave(): void {
    this.notify({ kind: 'left', page: true });
  }

  choose(choice: Choice<string>): void {
    if (choice.kind === 'merged') this.typed.add(choice.doc);
    this.notify({ kind: 'chosen', choice });
  }

  /** Ends the page without a closing event. The device keeps its drafts. */
  kill(): void {
    this.#isAlive = false;
    this.timerAt = null;
    this.#heldWrites = [];
  }

  override release(): void {
    super.release();
    // A write that one of them causes is queued after the others.
    for (let [write] = this.#heldWrites; write !== undefined; [write] = this.#heldWrites) {
      write();
      this.#heldWrites.shift();
    }
  }

  notify(event: Event<string>): void {
    this.#events.push(event);
    if (this.#isStepping) return;
    this.#isStepping = true;
    let steps = 0;
    for (let next = this.#events.shift(); next !== undefined && this.#isAlive; next = this.#events.shift()) {
      steps += 1;
      assert.ok(steps < 2000, 'events cause further events without end');
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
    for (const effect of effects) this.#execute(effect);
  }

  #show(effect: Effect<string>): void {
    if (effect.kind === 'apply') {
      this.shown = applyTextEdits(this.shown, effect.edits as readonly TextEdit[]);
      this.applied.push({ text: this.shown, who: effect.who });
    }
    if (effect.kind === 'show') this.shown = effect.doc;
  }

  #execute(effect: Effect<string>): void {
    switch (effect.kind) {
      case 'put':
        this.put(effect);
        return;
      case 'read':
        this.read(effect);
        return;
      case 'read_versions':
        this.readVersions(effect);
        return;
      case 'merge': {
        const { edits, overlaps } = mergeTexts(effect.base, effect.mine, effect.theirs, { within: 'words' });
        const doc = applyTextEdits(effect.mine, edits);
        const response = () =>
          this.notify({ kind: 'merged', id: effect.id, edits, doc, overlaps: overlaps.length });
        if (this.mergesHeld) this.held.push(response);
        else response();
        return;
      }
      case 'store_draft': {
        const { generation, draft } = effect;
        const key = this.#draftKey();
        this.#writeDevice(() => {
          if (this.world.draftsFail) {
            this.notify({ kind: 'draft_failed', generation });
            return;
          }
          this.world.drafts.set(key, draft);
          this.notify({ kind: 'draft_stored', generation });
        });
        return;
      }
      case 'drop_draft': {
        const key = this.#draftKey();
        this.#writeDevice(() => this.world.drafts.delete(key));
        return;
      }
      case 'set_timer':
        this.timerAt = effect.at;
        return;
      case 'follow_path':
        this.#writeDevice(() => {
          const before = this.#draftKey(effect.from);
          const draft = this.world.drafts.get(before);
          this.world.drafts.delete(before);
          if (draft !== undefined) this.world.drafts.set(this.#draftKey(effect.to), draft);
        });
        return;
      case 'announce':
        this.said.push(effect.announcement);
        return;
      case 'apply':
      case 'show':
        return;
    }
  }

  #writeDevice(write: () => void): void {
    if (this.draftsHeld || this.#heldWrites.length > 0) this.#heldWrites.push(write);
    else write();
  }

  #draftKey(path = this.state.path): string {
    return `${this.person}|${path}|${this.#editor}`;
  }
}
