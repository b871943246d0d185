import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTable } from '../../src/admin/format-table.ts';

test('columns line up under their headings', () => {
  const table = formatTable(
    ['id', 'name'],
    [
      ['user_1', 'Ada'],
      ['u', 'B'],
    ],
  );
  assert.equal(table, 'id      name\nuser_1  Ada\nu       B');
});
