import assert from 'node:assert/strict';
import type {
  Effect,
  Event,
  Failure,
  FeedChange,
  PutResponse,
  ReadResponse,
  VersionsResponse,
} from '../../src/saving/messages.ts';
import type { Precondition, State } from '../../src/saving/state.ts';
import { hashOf } from './fake-server.ts';
import type { World } from './world.ts';

export interface SentPut {
  readonly path: string;
  readonly text: string;
  readonly on: string;
  readonly rejectStale: boolean;
  readonly keepalive: boolean;
  readonly contentType: string;
  readonly atMs: number;
}

/** The outcome of the next PUT. */
type Fate = 'answered' | 'raced' | 'lost_before' | 'lost_after' | 'late' | 'held_before' | 'held_after';

/** An engine's connection to the server, with its session and feed. The test can break each of them. */
export abstract class Connection {
  readonly world: World;
  readonly person: string;
  readonly puts: SentPut[] = [];
  readonly reads: string[] = [];
  fates: Fate[] = [];
  isDown = false;
  isSignedOut = false;
  /** The path is hidden from this user, and the feed has not reported it. */
  isShutOut = false;
  readsHeld = false;
  busySeconds: number | null = null;
  /** The PUT whose response or loss the engine has not received yet. */
  readonly underWay = new Set<number>();
  /** Delayed responses, in order. */
  protected held: (() => void)[] = [];
  #late: (() => void)[] = [];
  #cursor: number;

  abstract readonly state: State<string>;
  abstract notify(event: Event<string>): void;

  constructor(world: World, person: string) {
    this.world = world;
    this.person = person;
    this.#cursor = world.server.changes.length;
  }

  /** Delivers the delayed requests and responses. */
  release(): void {
    for (const go of this.held.splice(0)) go();
  }

  deliverLate(): void {
    for (const go of this.#late.splice(0)) go();
  }

  goOffline(): void {
    this.isDown = true;
    this.notify({ kind: 'feed_failing' });
  }

  goOnline(): void {
    this.isDown = false;
    this.feed();
  }

  /** Delivers the rest of the feed in pages. */
  feed(pageSize = 100): void {
    for (;;) {
      const rest = this.world.server.changes.filter(({ seq }) => seq > this.#cursor);
      const page = rest.slice(0, pageSize);
      const nextSeq = page.at(-1)?.seq ?? this.#cursor;
      this.#cursor = nextSeq;
      if (page.length > 0)
        this.notify({ kind: 'feed_changes', changes: page.map((one) => this.#feedChange(one)), nextSeq });
      if (nextSeq === this.world.server.changes.length) break;
    }
    this.notify({ kind: 'feed_reached_head' });
  }

  /** Delivers one page without reaching the head. */
  feedPage(size: number): void {
    const page = this.world.server.changes.filter(({ seq }) => seq > this.#cursor).slice(0, size);
    this.#cursor = page.at(-1)?.seq ?? this.#cursor;
    this.notify({
      kind: 'feed_changes',
      changes: page.map((one) => this.#feedChange(one)),
      nextSeq: this.#cursor,
    });
  }

  replayFeed(): void {
    const changes = this.world.server.changes.filter(({ seq }) => seq <= this.#cursor);
    this.notify({
      kind: 'feed_changes',
      changes: changes.map((one) => this.#feedChange(one)),
      nextSeq: this.#cursor,
    });
    this.notify({ kind: 'feed_reached_head' });
  }

  #feedChange({
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

  protected put({
    id,
    path,
    doc,
    contentType,
    precondition,
    rejectStale: reject,
    keepalive,
  }: Effect<string> & { readonly kind: 'put' }): void {
    this.puts.push({
      path,
      text: doc,
      on: nameOf(precondition),
      rejectStale: reject,
      keepalive,
      contentType,
      atMs: this.world.nowMs,
    });
    this.notify({ kind: 'put_hashed', id, hash: hashOf(doc) });
    // A closing page aborts its pending PUT. The PUT that is sent again with `keepalive` replaces it.
    if (this.state.isClosing && keepalive) this.underWay.clear();
    assert.equal(this.underWay.size, 0, 'two PUTs at once');
    // A PUT that makes a copy is stale on purpose.
    if (this.state.sending?.aim !== 'aside')
      assert.equal(this.state.foreign, null, 'a PUT over a foreign change that is known and not merged');
    this.underWay.add(id);
    const reach = (): PutResponse =>
      this.world.server.put(path, doc, precondition, { by: this.person, rejectStale: reject, contentType });
    const response = (put: PutResponse) => {
      this.underWay.delete(id);
      this.notify({ kind: 'put_answered', id, response: put });
    };
    const lost = { kind: 'lost', pauseMs: 1000 } as const;
    const failure = this.#failure();
    if (failure !== null) {
      response(failure);
      return;
    }
    switch (this.fates.shift() ?? 'answered') {
      case 'answered':
        response(reach());
        return;
      case 'raced':
        this.world.raceOn(path);
        response(reach());
        return;
      case 'lost_before':
        response(lost);
        return;
      case 'lost_after':
        reach();
        response(lost);
        return;
      case 'late':
        this.#late.push(() => reach());
        response(lost);
        return;
      case 'held_before':
        this.held.push(() => response(reach()));
        return;
      case 'held_after': {
        const result = reach();
        this.held.push(() => response(result));
        return;
      }
    }
  }

  protected read({ id, path, withWho }: Effect<string> & { readonly kind: 'read' }): void {
    this.reads.push(path);
    const response = this.#readResponse(path, withWho);
    const report = () => this.notify({ kind: 'read_answered', id, response });
    if (this.readsHeld) this.held.push(report);
    else report();
  }

  #readResponse(path: string, withWho: boolean): ReadResponse<string> {
    const failure = this.#failure();
    if (failure !== null) return failure;
    const file = this.world.server.read(path);
    if (file === null) return { kind: 'absent' };
    const { version, hash, text: doc, by } = file;
    if (doc.includes('\0')) return { kind: 'unreadable', message: 'This file is not text.' };
    return { kind: 'file', version, hash, doc, who: withWho ? by : null };
  }

  protected readVersions({ id, path }: Effect<string> & { readonly kind: 'read_versions' }): void {
    const response: VersionsResponse = this.#failure() ?? {
      kind: 'versions',
      newestFirst: this.world.server.versions(path),
    };
    this.notify({ kind: 'versions_answered', id, response });
  }

  #failure(): Failure | null {
    if (this.isDown) return { kind: 'lost', pauseMs: 1000 };
    if (this.isSignedOut) return { kind: 'signed_out' };
    if (this.isShutOut) return { kind: 'gone' };
    if (this.busySeconds !== null) return { kind: 'busy', pauseMs: this.busySeconds * 1000 };
    return null;
  }
}

function nameOf(precondition: Precondition): string {
  return precondition.kind === 'none' ? 'none' : `${precondition.version} ${precondition.hash.slice(0, 8)}`;
}
