import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scaled } from '../../../../tests/support/random.ts';
import type { Desk } from './desk.ts';
import { World } from './world.ts';

const base = 'alpha beta gamma\n\ndelta epsilon zeta\n\neta theta iota\n';

/** An action on editors, their network, the server or the device. Numbers choose its targets. */
type Happening = readonly [name: keyof typeof happenings, choice: number];

/** State of a run. Typed words are unique, so that the test can search for each. */
class Run {
  readonly world = new World(base);
  readonly desks: Desk[] = [this.world.open(), this.world.open('a.md', 'ben')];
  #words = 0;

  desk(choice: number): Desk {
    const desk = this.desks[choice % this.desks.length];
    assert.ok(desk);
    return desk;
  }

  word(): string {
    this.#words += 1;
    return `w${this.#words}. `;
  }

  /** Current path of the file, if it exists. */
  get path(): string | null {
    return this.world.server.paths.find((path) => !path.includes('(conflicted copy')) ?? null;
  }

  /** Forgets words that another user deleted with the file, or that were only in memory at a kill. */
  forget(text: string): void {
    for (const { typed } of this.desks)
      for (const words of typed) if (text.includes(words)) typed.delete(words);
  }

  /** Asserts that every typed word is in a file, a copy, a draft or an open editor. */
  check(): void {
    for (const desk of this.desks)
      for (const words of desk.typed)
        assert.ok(
          this.world.keeps(words) || this.desks.some(({ shown }) => shown.includes(words)),
          `${words}is nowhere`,
        );
  }
}

const happenings = {
  typesAtStart: (run: Run, choice: number) => run.desk(choice).type(run.word(), 'start'),
  typesAtEnd: (run: Run, choice: number) => run.desk(choice).type(run.word()),
  typesInside: (run: Run, choice: number) => {
    const desk = run.desk(choice);
    const locations = ['beta', 'epsilon', 'theta', 'iota'].filter((location) =>
      desk.shown.includes(location),
    );
    const location = locations[choice % locations.length];
    if (location === undefined) return;
    const word = run.word();
    desk.typed.add(word);
    desk.write(desk.shown.replace(location, `${location} ${word}`));
  },
  undoesAll: (run: Run, choice: number) => {
    const desk = run.desk(choice);
    const { state } = desk;
    // A user who has chosen Replace with mine would also remove it from their text.
    if (state.hold?.kind === 'conflict' && state.hold.wanted !== null) return;
    for (const words of desk.typed)
      if (!state.base.doc.includes(words) && !run.world.keeps(words)) desk.typed.delete(words);
    if (desk.typed.size === 0) desk.write(state.base.doc);
  },
  saves: (run: Run, choice: number) => run.desk(choice).save(),
  waits: (run: Run, choice: number) => run.world.advance([100, 500, 2000, 10_000, 400_000][choice % 5] ?? 0),
  hearsTheFeed: (run: Run, choice: number) => run.desk(choice).feed(),
  hearsOnePage: (run: Run, choice: number) => run.desk(choice).feedPage(1),
  hearsAllAgain: (run: Run, choice: number) => run.desk(choice).replayFeed(),
  agentWritesElsewhere: (run: Run) => {
    if (run.path !== null) run.world.server.rewrite(run.path, (text) => `${text}agent ${run.word()}\n`);
  },
  agentWritesInside: (run: Run, choice: number) => {
    const location = ['beta', 'epsilon', 'theta', 'iota'][choice % 4] ?? '';
    if (run.path !== null)
      run.world.server.rewrite(run.path, (text) => text.replace(location, `${location} agent`));
  },
  agentDeletes: (run: Run) => {
    const { path } = run;
    if (path === null) return;
    run.forget(run.world.server.textOf(path) ?? '');
    run.world.server.remove(path);
  },
  agentMakesItAgain: (run: Run) => {
    if (run.path === null) run.world.server.put('a.md', base, { kind: 'none' });
  },
  agentMoves: (run: Run, choice: number) => {
    const { path } = run;
    if (path !== null) run.world.server.move(path, `moved${choice}-${run.word().trim()}md`);
  },
  losesRequests: (run: Run, choice: number) => run.desk(choice).fates.push('lost_before'),
  losesAnswers: (run: Run, choice: number) => run.desk(choice).fates.push('lost_after'),
  isLate: (run: Run, choice: number) => run.desk(choice).fates.push('late'),
  holdsRequests: (run: Run, choice: number) => run.desk(choice).fates.push('held_before'),
  holdsAnswers: (run: Run, choice: number) => run.desk(choice).fates.push('held_after'),
  isRaced: (run: Run, choice: number) => run.desk(choice).fates.push('raced'),
  holdsReads: (run: Run, choice: number) => {
    run.desk(choice).readsHeld = !run.desk(choice).readsHeld;
  },
  holdsMerges: (run: Run, choice: number) => {
    run.desk(choice).mergesHeld = !run.desk(choice).mergesHeld;
  },
  holdsDrafts: (run: Run, choice: number) => {
    run.desk(choice).draftsHeld = !run.desk(choice).draftsHeld;
  },
  releases: (run: Run, choice: number) => run.desk(choice).release(),
  deliversLate: (run: Run, choice: number) => run.desk(choice).deliverLate(),
  goesOffline: (run: Run, choice: number) => run.desk(choice).goOffline(),
  goesOnline: (run: Run, choice: number) => run.desk(choice).goOnline(),
  isBusy: (run: Run, choice: number) => {
    run.desk(choice).busySeconds = choice % 3 === 0 ? null : 5;
  },
  sessionEnds: (run: Run, choice: number) => {
    run.desk(choice).isSignedOut = true;
  },
  hearsThatItEnded: (run: Run, choice: number) => {
    run.desk(choice).isSignedOut = true;
    run.desk(choice).notify({ kind: 'signed_out' });
  },
  signsIn: (run: Run, choice: number) => {
    run.desk(choice).isSignedOut = false;
    run.desk(choice).notify({ kind: 'signed_in', isSamePerson: true });
  },
  isFull: (run: Run, choice: number) => {
    run.world.server.isFull = choice % 2 === 0;
  },
  draftsFail: (run: Run, choice: number) => {
    run.world.draftsFail = choice % 2 === 0;
  },
  isHidden: (run: Run, choice: number) => run.desk(choice).notify({ kind: 'hidden' }),
  isClosed: (run: Run, choice: number) => run.desk(choice).notify({ kind: 'closed' }),
  isShown: (run: Run, choice: number) => run.desk(choice).notify({ kind: 'shown', page: true }),
  isLeft: (run: Run, choice: number) => run.desk(choice).leave(),
  isKilled: (run: Run, choice: number) => {
    const desk = run.desk(choice);
    const { path } = run;
    if (path === null) return;
    for (const words of desk.typed) if (!run.world.keeps(words)) desk.typed.delete(words);
    desk.kill();
    const again = run.world.open(path, desk.person);
    for (const words of desk.typed) again.typed.add(words);
    desk.typed.clear();
    run.desks[run.desks.indexOf(desk)] = again;
  },
  keepsBoth: (run: Run, choice: number) => run.desk(choice).choose({ kind: 'keep_both' }),
  merges: (run: Run, choice: number) => {
    const desk = run.desk(choice);
    const { hold, doc } = desk.state;
    if (hold?.kind !== 'conflict' || hold.theirs === null) return;
    desk.notify({
      kind: 'chosen',
      choice: { kind: 'merged', doc: hold.theirs.doc + doc, left: hold.theirs },
    });
  },
  savesAgain: (run: Run, choice: number) => run.desk(choice).choose({ kind: 'save_again' }),
} as const;

/** Ends all faults and advances until no pending work is left. */
function comeToRest(run: Run): void {
  run.world.server.isFull = false;
  run.world.draftsFail = false;
  for (const desk of run.desks) {
    Object.assign(desk, {
      fates: [],
      readsHeld: false,
      mergesHeld: false,
      draftsHeld: false,
      busySeconds: null,
    });
    desk.isSignedOut = false;
    for (let i = 0; i < 5; i += 1) desk.release();
    desk.notify({ kind: 'signed_in', isSamePerson: true });
    desk.notify({ kind: 'shown', page: true });
    desk.deliverLate();
    desk.goOnline();
  }
  for (let i = 0; i < 8; i += 1) {
    run.world.advance(200_000);
    for (const desk of run.desks) {
      desk.feed();
      desk.save();
      if (desk.state.hold?.kind === 'conflict') desk.choose({ kind: 'keep_both' });
      if (desk.state.hold?.kind === 'deleted' && !desk.isClean) desk.choose({ kind: 'save_again' });
    }
  }
}

const happening: fc.Arbitrary<Happening> = fc.tuple(
  fc.constantFrom(...(Object.keys(happenings) as (keyof typeof happenings)[])),
  fc.nat({ max: 30 }),
);

test('random actions lose no typed text, overwrite no foreign change and end without pending work', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60, size: 'max' }), (sequence) => {
      const run = new Run();
      for (const [name, choice] of sequence) {
        happenings[name](run, choice);
        run.check();
      }
      comeToRest(run);
      run.world.assertNothingLost();
      for (const { state, timerAt } of run.desks) {
        const { sending, reading, merging, unsureSince, foreign, hold } = state;
        assert.deepEqual({ sending, reading, merging, unsureSince, foreign }, atRest);
        assert.equal(timerAt, null);
        assert.ok(
          hold === null || hold.kind === 'gone' || hold.kind === 'deleted',
          `held by ${JSON.stringify(hold)}`,
        );
        if (hold === null) assert.equal(state.doc, run.world.server.textOf(state.path));
      }
    }),
    { numRuns: scaled(600) },
  );
});

const atRest = { sending: null, reading: null, merging: null, unsureSince: null, foreign: null };
