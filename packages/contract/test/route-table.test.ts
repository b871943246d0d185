import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routeTable } from '@stoa/contract/outlines';
import { routeTableOf } from '../../../scripts/route-table.ts';

test('the route table matches the routes (npm run openapi updates it)', () => {
  assert.deepEqual(routeTable, routeTableOf());
});
