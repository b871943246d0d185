import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  anchorConflictBody,
  quotaExceededBody,
  versionConflictBody,
  writeConflictBody,
} from '@stoa/contract';

test('a lost write names the current version and the path of its copy', () => {
  assert.deepEqual(writeConflictBody({ currentVersion: 4, conflictCopyPath: 'a (conflicted copy).md' }), {
    error: 'version_conflict',
    current_version: 4,
    conflict_copy_path: 'a (conflicted copy).md',
  });
});

test('a stale delete or move names only the current version', () => {
  assert.deepEqual(versionConflictBody({ currentVersion: 4 }), {
    error: 'version_conflict',
    current_version: 4,
  });
});

test('a full workspace names the limit that was reached', () => {
  assert.deepEqual(quotaExceededBody({ kind: 'quota_exceeded', usedBytes: 9, limitBytes: 10 }), {
    error: 'quota_exceeded',
    used_bytes: 9,
    limit_bytes: 10,
  });
  assert.deepEqual(quotaExceededBody({ kind: 'file_count_exceeded', usedFiles: 3, limitFiles: 3 }), {
    error: 'file_count_exceeded',
    used_files: 3,
    limit_files: 3,
  });
  assert.deepEqual(quotaExceededBody({ kind: 'history_exceeded', usedBytes: 9, limitBytes: 10 }), {
    error: 'history_exceeded',
    used_bytes: 9,
    limit_bytes: 10,
  });
});

test('an anchor that cannot be placed has only its reason', () => {
  const matches = [{ line: 3, excerpt: 'twice', occurrence: 1 }];
  assert.deepEqual(anchorConflictBody({ kind: 'ambiguous', occurrences: 2, matches }), {
    error: 'anchor_ambiguous',
    occurrences: 2,
    matches: [{ line: 3, excerpt: 'twice' }],
  });
  assert.deepEqual(anchorConflictBody({ kind: 'not_found' }), { error: 'anchor_not_found' });
  const conflict = { baseVersion: 1, currentVersion: 3, reason: 'base_unavailable' } as const;
  assert.deepEqual(anchorConflictBody({ kind: 'base_version_conflict', ...conflict }), {
    error: 'base_version_conflict',
    ...conflict,
  });
});
