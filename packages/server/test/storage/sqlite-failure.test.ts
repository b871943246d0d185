import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sqliteFailureOf } from '../../src/storage/sqlite/sqlite-executor.ts';

/** Extended result codes, as SQLite documents them. */
const failures = [
  ['a full disk', 13, 'storage_full'],
  ['a full disk under the log index', 4874, 'storage_full'],
  ['a database held by another', 5, 'busy'],
  ['a database held in a snapshot', 517, 'busy'],
  ['a failed fsync', 1034, 'fatal'],
  ['a failed write', 778, 'fatal'],
  ['a damaged file', 11, 'fatal'],
  ['a file that is not a database', 26, 'fatal'],
  ['a broken constraint', 1555, 'statement'],
  ['wrong SQL', 1, 'statement'],
] as const;

describe('the kind of a database error', () => {
  for (const [name, errcode, kind] of failures) {
    it(`${name}: ${kind}`, () => {
      assert.deepEqual(sqliteFailureOf(Object.assign(new Error('sqlite'), { errcode })), { kind });
    });
  }

  it('an error from elsewhere is not a database error', () => {
    assert.equal(sqliteFailureOf(new Error('a bug')), null);
    assert.equal(sqliteFailureOf('text'), null);
  });
});
