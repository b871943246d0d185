import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyTextEdits } from '@stoa/core';
import { mergeInApp } from '../../src/merging/merge-in-app.ts';

const long = `${'A line of a long text.\n'.repeat(12_000)}end\n`;

test('a long text is merged where its worker cannot be loaded', async (t) => {
  class WorkerWithoutScript extends EventTarget {
    isEnded = false;
    constructor() {
      super();
      workers.push(this);
    }
    postMessage() {
      this.dispatchEvent(Object.assign(new Event('error'), { message: 'no script' }));
    }
    terminate() {
      this.isEnded = true;
    }
  }
  const workers: WorkerWithoutScript[] = [];
  Object.assign(globalThis, { Worker: WorkerWithoutScript });
  t.after(() => Reflect.deleteProperty(globalThis, 'Worker'));
  const mine = `Mine. ${long}`;
  const { edits, overlaps } = await mergeInApp({ base: long, mine, theirs: `${long}Theirs.\n` });
  assert.equal(overlaps, 0);
  assert.equal(applyTextEdits(mine, edits), `Mine. ${long}Theirs.\n`);
  assert.deepEqual(
    workers.map(({ isEnded }) => isEnded),
    [true],
  );
});
