import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scaled } from '../../../../tests/support/random.ts';
import { uploadLinesMax } from '../../src/files/dropped-files.ts';
import {
  type ExistingFile,
  emptyQueue,
  questionOf,
  stepUploads,
  type UploadEffect,
  type UploadEvent,
  type UploadQueue,
  uploadedCount,
  uploadsAtOnce,
} from '../../src/files/upload-queue.ts';

const limits = { maxFileBytes: 100, remainingBytes: null };
const fileOf = (path: string, size = 5) => ({ path, size, modifiedAt: 0 });
const existing = (size = 7, version = 3): ExistingFile => ({
  version,
  size,
  contentHash: 'h'.repeat(64),
  contentType: 'text/markdown',
  changedAt: 0,
});

function run(events: readonly UploadEvent[], there: Readonly<Record<string, ExistingFile>> = {}) {
  let queue = emptyQueue;
  const effects: UploadEffect[] = [];
  for (const event of events) {
    const step = stepUploads(queue, event, (path) => there[path] ?? null);
    queue = step.queue;
    effects.push(...step.effects);
  }
  return { queue, effects, phases: queue.lines.map(({ phase }) => phase.kind) };
}

const add = (...files: Extract<UploadEvent, { kind: 'added' }>['files'][number][]): UploadEvent => ({
  kind: 'added',
  files,
  limits,
});

test('three uploads run at a time, and the next starts when an upload ends', () => {
  const files = ['a', 'b', 'c', 'd', 'e'].map((path) => fileOf(path));
  const first = run([add(...files)]);
  assert.deepEqual(first.phases, ['sending', 'sending', 'sending', 'waiting', 'waiting']);
  assert.deepEqual(
    first.effects.map((effect) => effect.kind === 'send' && effect.path),
    ['a', 'b', 'c'],
  );
  const next = run([add(...files), { kind: 'uploaded', id: 2, unchanged: false }]);
  assert.deepEqual(next.phases, ['sending', 'done', 'sending', 'sending', 'waiting']);
  assert.equal(uploadedCount(next.queue), 1);
});

test('a file that would be rejected is not sent', () => {
  const { phases, effects, queue } = run([
    add(
      { ...fileOf('unreadable', 0), failure: { kind: 'refused', message: 'Why' } },
      fileOf('large', 101),
      fileOf('fine', 100),
      fileOf('empty', 0),
      { ...fileOf('folder/.keep', 1), isThere: true },
    ),
  ]);
  assert.deepEqual(phases, ['failed', 'failed', 'sending', 'sending', 'same']);
  assert.equal(effects.length, 2);
  assert.deepEqual(
    queue.lines.map(({ phase }) => phase.kind === 'failed' && phase.failure),
    [{ kind: 'refused', message: 'Why' }, { kind: 'too_large', limitBytes: 100 }, false, false, false],
  );
});

test('a file that no longer fits the workspace waits for a retry', () => {
  const added: UploadEvent = {
    kind: 'added',
    files: [fileOf('a', 60), fileOf('b', 60), fileOf('c', 40)],
    limits: { maxFileBytes: 100, remainingBytes: 100 },
  };
  const { phases } = run([added]);
  assert.deepEqual(phases, ['sending', 'failed', 'sending']);
  assert.deepEqual(run([added, { kind: 'retried', id: 2 }]).phases, ['sending', 'sending', 'sending']);
});

test('a taken name asks the user, and the upload waits for the choice', () => {
  const there = { 'plan.md': existing() };
  const { phases, effects, queue } = run([add(fileOf('plan.md'))], there);
  assert.deepEqual(phases, ['asking']);
  assert.deepEqual(effects, []);
  assert.equal(questionOf(queue)?.line.path, 'plan.md');
});

test('replace sends the version that was shown, keep both another name, skip nothing', () => {
  const there = { 'plan.md': existing() };
  const choose = (choice: 'skip' | 'keep_both' | 'replace') =>
    run([add(fileOf('plan.md')), { kind: 'chosen', id: 1, choice, forTheRest: false }], there);
  assert.deepEqual(choose('replace').effects, [
    {
      kind: 'send',
      id: 1,
      path: 'plan.md',
      target: { kind: 'replace', version: 3, contentHash: 'h'.repeat(64), contentType: 'text/markdown' },
    },
  ]);
  assert.deepEqual(choose('keep_both').effects, [
    { kind: 'send', id: 1, path: 'plan (2).md', target: { kind: 'create' } },
  ]);
  assert.deepEqual(choose('skip').phases, ['cancelled']);
  assert.deepEqual(choose('skip').effects, []);
});

test('a choice for the rest applies to waiting files, not to the next drop', () => {
  const there = { a: existing(), b: existing(), c: existing(), d: existing(), e: existing() };
  const files = ['a', 'b', 'c', 'd'].map((path) => fileOf(path));
  const decided = run([add(...files), { kind: 'chosen', id: 1, choice: 'skip', forTheRest: true }], there);
  assert.deepEqual(decided.phases, ['cancelled', 'cancelled', 'cancelled', 'cancelled']);
  const later = run(
    [add(...files), { kind: 'chosen', id: 1, choice: 'skip', forTheRest: true }, add(fileOf('e'))],
    there,
  );
  assert.equal(later.phases.at(-1), 'asking');
});

test('a file of the same size is compared first: equal bytes do not ask the user', () => {
  const there = { a: existing(5) };
  const begun = run([add(fileOf('a', 5))], there);
  assert.deepEqual(begun.effects, [{ kind: 'compare', id: 1 }]);
  assert.deepEqual(run([add(fileOf('a', 5)), { kind: 'compared', id: 1, same: true }], there).phases, [
    'same',
  ]);
  assert.deepEqual(run([add(fileOf('a', 5)), { kind: 'compared', id: 1, same: false }], there).phases, [
    'asking',
  ]);
});

test('a name taken during the upload asks the user, and a newer version asks again', () => {
  const taken: UploadEvent = { kind: 'taken', id: 1, existing: existing() };
  assert.deepEqual(run([add(fileOf('a')), taken]).phases, ['asking']);
  const again = run([
    add(fileOf('a')),
    taken,
    { kind: 'chosen', id: 1, choice: 'replace', forTheRest: true },
    { kind: 'taken', id: 1, existing: existing(9, 4) },
  ]);
  const [, second] = again.effects.filter(({ kind }) => kind === 'send').slice(-2);
  assert.ok(second?.kind === 'send' && second.target.kind === 'replace' && second.target.version === 4);
});

test('cancelling aborts the request and ignores a late response, and a retry sends again', () => {
  const cancel: UploadEvent = { kind: 'cancelled', id: 1 };
  const cancelled = run([add(fileOf('a')), { kind: 'progressed', id: 1, sentBytes: 2 }, cancel]);
  assert.deepEqual(cancelled.phases, ['cancelled']);
  assert.deepEqual(cancelled.effects.at(-1), { kind: 'abort', id: 1 });
  const late = run([add(fileOf('a')), cancel, { kind: 'uploaded', id: 1, unchanged: false }]);
  assert.deepEqual(late.phases, ['cancelled']);
  const again = run([add(fileOf('a')), cancel, { kind: 'retried', id: 1 }]);
  assert.equal(again.effects.filter(({ kind }) => kind === 'send').length, 2);
});

test('a line shows its error, and only some errors offer a retry', () => {
  const failed = (mayRetry: boolean): UploadEvent => ({
    kind: 'failed',
    id: 1,
    failure: { kind: 'refused', message: 'no' },
    mayRetry,
  });
  assert.deepEqual(run([add(fileOf('a')), failed(true), { kind: 'retried', id: 1 }]).phases, ['sending']);
  assert.deepEqual(run([add(fileOf('a')), failed(false), { kind: 'retried', id: 1 }]).phases, ['failed']);
});

test('a tray takes ten thousand lines and no more', () => {
  const files = Array.from({ length: uploadLinesMax + 5 }, (_, i) => fileOf(String(i)));
  assert.equal(run([add(...files)]).queue.lines.length, uploadLinesMax);
});

test('in any order of events, at most three uploads run and no two go to one path', () => {
  const id = fc.integer({ min: 1, max: 8 });
  const paths = ['a.md', 'b.md', 'c.md', 'd.md', 'e.md', 'f.md', 'g.md', 'h.md'];
  const event: fc.Arbitrary<UploadEvent> = fc.oneof(
    id.map((n): UploadEvent => ({ kind: 'uploaded', id: n, unchanged: false })),
    id.map((n): UploadEvent => ({ kind: 'cancelled', id: n })),
    id.map((n): UploadEvent => ({ kind: 'retried', id: n })),
    id.map((n): UploadEvent => ({ kind: 'taken', id: n, existing: existing(n) })),
    fc
      .tuple(id, fc.boolean())
      .map(([n, mayRetry]): UploadEvent => ({ kind: 'failed', id: n, failure: { kind: 'full' }, mayRetry })),
    fc.tuple(id, fc.boolean()).map(([n, same]): UploadEvent => ({ kind: 'compared', id: n, same })),
    fc
      .tuple(id, fc.constantFrom('skip' as const, 'keep_both' as const, 'replace' as const), fc.boolean())
      .map(([n, choice, forTheRest]): UploadEvent => ({ kind: 'chosen', id: n, choice, forTheRest })),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const there = { 'a.md': existing(5), 'b.md': existing(), 'c.md': existing() };
      const existingAt = (path: string) => there[path as keyof typeof there] ?? null;
      let queue: UploadQueue = stepUploads(
        emptyQueue,
        add(...paths.map((path) => fileOf(path))),
        existingAt,
      ).queue;
      for (const each of events) {
        queue = stepUploads(queue, each, existingAt).queue;
        const busy = queue.lines.filter(
          ({ phase }) => phase.kind === 'sending' || phase.kind === 'comparing',
        );
        assert.ok(busy.length <= uploadsAtOnce);
        const waiting = queue.lines.some(({ phase }) => phase.kind === 'waiting');
        assert.ok(!waiting || busy.length === uploadsAtOnce, 'nothing waits while there is room');
        assert.ok(queue.lines.every(({ phase }) => phase.kind !== 'chosen'));
        const sendingTo = queue.lines.filter(({ phase }) => phase.kind === 'sending').map(({ path }) => path);
        assert.equal(new Set(sendingTo).size, sendingTo.length);
      }
    }),
    { numRuns: scaled(300) },
  );
});
