import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import type { ContentHash, SyncOperation, WorkspacePath } from '@stoa/core';
import { plannedStep, planReportOf, printPlan } from '../src/commands/sync-plan.ts';
import { createOutput } from '../src/output/output.ts';

const planned = { id: 1, row: 1, path: 'b.md' as WorkspacePath, after: [] };
const from = 'a.md' as WorkspacePath;
const hash = 'a'.repeat(64) as ContentHash;
const there = { kind: 'file', version: 3, hash } as const;

function said(operations: readonly SyncOperation[]): string {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const output = createOutput(
    { env: {}, stdout: stream, stderr: stream },
    { json: false, quiet: false, verbose: false, color: false, progress: false },
  );
  const counts = { up: 0, down: 0, moved: 0, deletedHere: 0, deletedThere: 0, rescued: 0 };
  const lists = { conflicts: [], leftOut: [], holds: [] };
  const rest = { cursor: 1, head: 1, bytesUp: 0, bytesDown: 0, ms: 0, inSync: false, truncated: false };
  printPlan(output, planReportOf(operations, { ...counts, ...lists, ...rest }));
  return text;
}

test('a plan is printed as readable steps', () => {
  const operations: readonly SyncOperation[] = [
    { ...planned, kind: 'move_there', from, remote: there, local: null },
    { ...planned, kind: 'delete_there', remote: there },
    { ...planned, kind: 'put_placeholder', path: 'x/.keep' as WorkspacePath, folder: 'x' as WorkspacePath },
    {
      ...planned,
      kind: 'download',
      wanted: { version: 4, hash, sizeBytes: 1, contentType: null },
      over: { kind: 'file', stamp: '' as never, hash },
    },
    { ...planned, kind: 'remove_here', local: { kind: 'file', stamp: '' as never, hash } },
    { ...planned, kind: 'forget' },
    { ...planned, kind: 'delete_there', path: 'c\u001b[2J.md' as WorkspacePath, remote: there },
  ];
  assert.deepEqual(said(operations).split('\n'), [
    'would move  a.md → b.md  on the server',
    'would delete  b.md  on the server',
    'would make folder  x/  on the server',
    'would fetch  b.md  v4, in place of what is here',
    'would delete  b.md  here: it goes to the trash',
    'would delete  c\\u{1B}[2J.md  on the server',
    '6 steps. Nothing was changed.',
    '',
  ]);
});

test('an operation that only updates the state is not a step', () => {
  const adopt: SyncOperation = {
    ...planned,
    kind: 'adopt',
    remote: { version: 1, hash, sizeBytes: 1, contentType: null },
    local: null,
  };
  assert.equal(plannedStep(adopt), null);
  assert.equal(said([adopt]), 'Nothing would be done. 1 file is the same on both sides already.\n');
  assert.equal(said([]), 'Nothing would be done.\n');
});
