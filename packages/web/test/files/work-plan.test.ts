import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PlanWorker, runPlan, type StepResponse } from '../../src/files/run-plan.ts';
import { type FileStep, movesInto, planDelete, planMove, restOf, undoOf } from '../../src/files/work-plan.ts';
import { listingOf } from './listing.ts';

const listing = listingOf(['a/1.md', 'a/2.md', 'a/in/3.md', 'b/.keep', 'b/x.md', 'solo/only.md', 'top.md']);

test('a folder is moved file by file, and its own properties follow', () => {
  const plan = planMove([{ from: 'a', to: 'b/a' }], listing);
  assert.deepEqual(plan.keeps, []);
  assert.deepEqual(plan.files, [
    { kind: 'move', from: 'a/1.md', to: 'b/a/1.md' },
    { kind: 'move', from: 'a/2.md', to: 'b/a/2.md' },
    { kind: 'move', from: 'a/in/3.md', to: 'b/a/in/3.md' },
  ]);
  assert.deepEqual(plan.folders, [{ from: 'a', to: 'b/a' }]);
});

test('the placeholder of a folder moves with it, and a file needs no move-folder', () => {
  const plan = planMove(movesInto(['b', 'top.md'], 'a'), listing);
  assert.deepEqual(
    plan.files.map((step) => step.kind === 'move' && step.to),
    ['a/b/.keep', 'a/b/x.md', 'a/top.md'],
  );
  assert.deepEqual(plan.folders, [{ from: 'b', to: 'a/b' }]);
});

test('a folder that loses its last file gets a placeholder first', () => {
  assert.deepEqual(planMove(movesInto(['solo/only.md'], ''), listing).keeps, ['solo']);
  assert.deepEqual(planDelete(['solo/only.md'], listing).keeps, ['solo']);
  assert.deepEqual(planDelete(['a/1.md', 'a/2.md'], listing).keeps, []);
  assert.deepEqual(planDelete(['a/1.md', 'a/2.md', 'a/in'], listing).keeps, ['a']);
});

test('no placeholder is made for a removed folder, or one that has it or gets the file back', () => {
  assert.deepEqual(planDelete(['solo'], listing).keeps, []);
  assert.deepEqual(planDelete(['b/x.md'], listing).keeps, []);
  assert.deepEqual(planMove([{ from: 'solo/only.md', to: 'solo/deep/only.md' }], listing).keeps, []);
});

test('an item selected below a selected folder moves with it once', () => {
  const plan = planDelete(['a/1.md', 'a', 'top.md'], listing);
  assert.deepEqual(
    plan.files.map((step) => step.kind === 'delete' && step.path),
    ['a/1.md', 'a/2.md', 'a/in/3.md', 'top.md'],
  );
});

/** Responds to each step as `response` decides and records the steps in order. */
function workerOf(
  response: (step: FileStep) => StepResponse | Promise<StepResponse>,
  keep: () => StepResponse = () => done,
) {
  const asked: string[] = [];
  const worker: PlanWorker = {
    keepFolder: async (folder) => {
      asked.push(`keep ${folder}`);
      return keep();
    },
    change: async (step) => {
      asked.push(`${step.kind} ${step.kind === 'move' ? step.from : step.path}`);
      return response(step);
    },
    moveFolder: async ({ from, to }) => {
      asked.push(`move-folder ${from} ${to}`);
      return { kind: 'done' };
    },
  };
  return { asked, worker };
}

const done = { kind: 'done' } as const;
const rejected = (goOn: boolean): StepResponse => ({
  kind: 'failed',
  failure: { kind: 'refused', message: 'no' },
  goOn,
});

test('placeholders are made first, and the folder is handled last', async () => {
  const plan = planMove(
    [
      { from: 'solo/only.md', to: 'a/only.md' },
      { from: 'b', to: 'a/b' },
    ],
    listing,
  );
  const { asked, worker } = workerOf(() => done);
  const result = await runPlan(plan, worker);
  assert.deepEqual(result.left, []);
  assert.equal(asked[0], 'keep solo');
  assert.equal(asked.at(-1), 'move-folder b a/b');
  assert.equal(asked.length, 5);
});

test('without space for the placeholder, the last file is still moved', async () => {
  const plan = planDelete(['solo/only.md'], listing);
  const full: StepResponse = {
    kind: 'failed',
    failure: { kind: 'refused', message: 'full', noRoom: true },
    goOn: false,
  };
  const { asked, worker } = workerOf(
    () => done,
    () => full,
  );
  const result = await runPlan(plan, worker);
  assert.deepEqual(asked, ['keep solo', 'delete solo/only.md']);
  assert.deepEqual([result.left, result.failures], [[], []]);
  // Any other error of the placeholder keeps the file.
  const lost = workerOf(
    () => done,
    () => rejected(false),
  );
  const kept = await runPlan(plan, lost.worker);
  assert.deepEqual(lost.asked, ['keep solo']);
  assert.deepEqual(kept.left, plan.files);
});

test('work that stops half-way names the remaining items and has plans to resume and to undo', async () => {
  const stop = new AbortController();
  const plan = planMove([{ from: 'a', to: 'c' }], listing);
  const { asked, worker } = workerOf((step) => {
    if (step.kind === 'move' && step.from === 'a/1.md') stop.abort();
    return done;
  });
  const many = { ...plan, files: [...plan.files, ...moreFiles] };
  const result = await runPlan(many, worker, { stop: stop.signal });
  assert.equal(result.done.length + result.left.length, many.files.length);
  assert.ok(result.left.length >= moreFiles.length);
  assert.ok(!asked.some((step) => step.startsWith('move-folder')));
  assert.deepEqual(restOf(result).files, result.left);
  assert.deepEqual(restOf(result).folders, plan.folders);
  const back = undoOf(result);
  assert.deepEqual(back.folders, []);
  assert.ok(back.files.every((step) => step.kind === 'move' && step.from.startsWith('c/')));
});

const moreFiles = Array.from({ length: 5 }, (_, i) => ({
  kind: 'move' as const,
  from: `a/more/${i}.md`,
  to: `c/more/${i}.md`,
}));

test('one file that cannot be moved stays, the others go, and the folder waits for it', async () => {
  const plan = planMove(
    [
      { from: 'a', to: 'c' },
      { from: 'b', to: 'd' },
    ],
    listing,
  );
  const { asked, worker } = workerOf((step) =>
    step.kind === 'move' && step.from === 'a/2.md' ? rejected(true) : done,
  );
  const result = await runPlan(plan, worker);
  assert.deepEqual(result.left, [{ kind: 'move', from: 'a/2.md', to: 'c/2.md' }]);
  assert.equal(result.failures.length, 1);
  assert.deepEqual(
    asked.filter((step) => step.startsWith('move-folder')),
    ['move-folder b d'],
  );
});

test('a lost connection or twenty errors end the work', async () => {
  const paths = Array.from({ length: 100 }, (_, i) => `many/${i}.md`);
  const plan = planDelete(['many'], listingOf(paths));
  const lost = await runPlan(plan, workerOf(() => rejected(false)).worker);
  assert.ok(lost.failures.length <= 3);
  const errors = await runPlan(plan, workerOf(() => rejected(true)).worker);
  assert.ok(errors.failures.length >= 20 && errors.failures.length <= 22);
  assert.equal(errors.left.length, 100);
});

test('a delete is undone by restoring the version that was there', async () => {
  const plan = planDelete(['top.md', 'solo'], listingOf([{ path: 'top.md', version: 4 }, 'solo/only.md']));
  const result = await runPlan(plan, workerOf(() => done).worker);
  assert.deepEqual(undoOf(result), {
    keeps: [],
    files: [
      { kind: 'restore', path: 'solo/only.md', version: 1 },
      { kind: 'restore', path: 'top.md', version: 4 },
    ],
    folders: [],
  });
  // Versions start again when a user makes the file again, so the content distinguishes them.
  const listed = { kind: 'delete' as const, path: 'a.md', version: 1, contentHash: 'ab' };
  const [back] = undoOf({ ...result, done: [listed] }).files;
  assert.deepEqual(back, { kind: 'restore', path: 'a.md', version: 1, contentHash: 'ab' });
});

test('Delete anyway deletes the current version, and Undo restores it', async () => {
  const plan = planDelete(['top.md'], listing);
  const first = await runPlan(
    plan,
    workerOf(() => ({ kind: 'failed', failure: { kind: 'changed' }, goOn: true })).worker,
  );
  assert.equal(first.left.length, 1);
  const again = { ...restOf(first), files: [{ kind: 'delete' as const, path: 'top.md', version: null }] };
  const second = await runPlan(again, workerOf(() => ({ kind: 'done_as', version: 7 })).worker);
  assert.deepEqual(undoOf(second).files, [{ kind: 'restore', path: 'top.md', version: 7 }]);
});
