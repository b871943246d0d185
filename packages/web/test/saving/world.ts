import assert from 'node:assert/strict';
import type { Draft } from '../../src/saving/messages.ts';
import type { Documents } from '../../src/saving/state.ts';
import { Desk } from './desk.ts';
import { FakeServer } from './fake-server.ts';

export const texts: Documents<string> = {
  equal: (one, other) => one === other,
  isEmpty: (text) => text === '',
  byteLength: (text) => Buffer.byteLength(text),
};

/** A server, a clock that only the test advances, a device with drafts, and its open editors. */
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

  /** Writes as the agent while the PUT is in transit. */
  raceOn(path: string): void {
    if (this.server.read(path) === null) return;
    this.#races += 1;
    this.server.rewrite(path, (text) => text.replace(/one\w*/, `one${this.#races}`));
  }

  /** Advances the clock and runs the due timers in order. */
  advance(ms: number): void {
    const end = this.nowMs + ms;
    for (let steps = 0; steps < 10_000; steps += 1) {
      const next = this.desks.filter(({ timerAt }) => timerAt !== null && timerAt <= end);
      next.sort((one, other) => (one.timerAt ?? 0) - (other.timerAt ?? 0));
      const [desk] = next;
      if (desk === undefined) {
        this.nowMs = end;
        return;
      }
      this.nowMs = Math.max(this.nowMs, desk.timerAt ?? 0);
      desk.timerAt = null;
      desk.notify({ kind: 'timer' });
    }
    assert.fail('the timers never end');
  }

  /** Asserts that every typed text is in a file, a copy or a draft. */
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
