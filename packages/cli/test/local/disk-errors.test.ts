import assert from 'node:assert/strict';
import { constants } from 'node:os';
import { test } from 'node:test';
import { StateDiskError } from '../../src/engine/ports/state-store.ts';
import { errorOf } from '../../src/local/disk-errors.ts';
import { namedDiskTrouble } from '../../src/state/disk-troubles.ts';

test('an exceeded disk quota, which Node reports only as a number, counts as a full disk', () => {
  const { EDQUOT } = constants.errno;
  const error = Object.assign(new Error('UNKNOWN: unknown error, write'), {
    code: 'UNKNOWN',
    errno: -EDQUOT,
  });
  assert.deepEqual(errorOf(error), { kind: 'refused', reason: 'disk_full', detail: 'EDQUOT' });
  const named = namedDiskTrouble(error, '/folder/.stoa');
  assert.ok(named instanceof StateDiskError);
  assert.equal(named.trouble, 'full');
  const other = Object.assign(new Error('UNKNOWN: unknown error, write'), { code: 'UNKNOWN', errno: -1 });
  assert.throws(() => errorOf(other), other);
});
