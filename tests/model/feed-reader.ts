import assert from 'node:assert/strict';
import { integerAt, type JsonRecord, jsonOf, recordsAt } from '../support/response.ts';
import { withoutTime } from './compare-response.ts';
import type { Caller } from './player.ts';
import type { ModelChange } from './workspace/facts.ts';
import type { WorkspaceModel } from './workspace-model.ts';

/** The sequence numbers, which only the service knows. A change has the same number for all who see it. */
export type Seqs = Map<ModelChange, number>;

/** Reads the feed for one caller. Past changes appear and vanish as the visible paths of the caller change. */
export class FeedReader {
  readonly #caller: Caller;
  readonly #model: WorkspaceModel;
  readonly #seqs: Seqs;

  constructor(caller: Caller, model: WorkspaceModel, seqs: Seqs) {
    this.#caller = caller;
    this.#model = model;
    this.#seqs = seqs;
  }

  /** Compares the whole feed with the model. @returns the seqs that this caller sees. */
  async compareAll(): Promise<readonly number[]> {
    const { startSeq } = this.#caller.workspace;
    const body = await this.#page(startSeq, 1000);
    const expected = this.#model.changesFor(this.#caller.actor);
    const records = recordsAt(body, 'changes');
    assert.deepEqual(
      records.map(comparable),
      expected.map(({ record }) => record),
    );
    const seen = records.map((record) => integerAt(record, 'seq'));
    for (const [at, change] of expected.entries()) {
      const seq = seen[at] ?? 0;
      assert.ok(seq > (seen[at - 1] ?? startSeq), 'a sequence number does not increase');
      assert.equal(this.#seqs.get(change) ?? seq, seq, 'a change has another number for another user');
      this.#seqs.set(change, seq);
    }
    assert.equal(body.nextSeq, body.head);
    assert.ok(integerAt(body, 'head') >= (seen.at(-1) ?? startSeq), 'the head is before a change');
    return seen;
  }

  /**
   * Compares a page after the given change that this caller sees. No change up to its `nextSeq` may be missing.
   */
  async comparePage(after: number, limit: number): Promise<void> {
    const seen = await this.compareAll();
    const cursor = seen[Math.min(after, seen.length) - 1] ?? this.#caller.workspace.startSeq;
    const body = await this.#page(cursor, limit);
    const head = integerAt(body, 'head');
    const next = integerAt(body, 'nextSeq');
    const seqs = recordsAt(body, 'changes').map((record) => integerAt(record, 'seq'));
    assert.deepEqual(
      seqs,
      seen.filter((seq) => seq > cursor && seq <= next),
    );
    assert.ok(seqs.length <= limit, 'more changes than were asked for');
    assert.ok(next <= head, 'the cursor is beyond the head');
    if (limit === 0) assert.equal(next, cursor);
    else assert.ok(next > cursor || cursor === head, 'the cursor does not move on');
  }

  async #page(sinceSeq: number, limit: number): Promise<JsonRecord> {
    const response = await this.#caller.workspace.query('changes', { sinceSeq, limit });
    assert.equal(response.status, 200);
    return jsonOf(response);
  }
}

function comparable(change: JsonRecord): JsonRecord {
  const { id, seq: _seq, ...rest } = change;
  assert.ok(typeof id === 'string' && id !== '');
  return withoutTime(rest);
}
