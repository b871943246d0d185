import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseError } from 'pg';
import { PostgresError } from '../../src/storage/postgres/postgres-error.ts';

const errors = [
  ['53100', 'could not extend file "base/16384/16385": No space left on device', 'storage_full'],
  ['XX000', 'could not extend file "base/16384/16385": Disk quota exceeded', 'storage_full'],
  ['XX001', 'invalid page in block 7 of relation base/16384/16385', 'lost'],
  ['XX000', 'cache lookup failed for type 7', 'lost'],
  ['53300', 'sorry, too many clients already', 'exhausted'],
  ['23505', 'duplicate key value violates unique constraint "file_pkey"', 'statement'],
] as const;

test('database errors are classified: a reached quota of the file system is a full disk', () => {
  for (const [code, message, kind] of errors) {
    const error = Object.assign(new DatabaseError(message), { code });
    assert.equal(new PostgresError(error).kind, kind, message);
  }
});
