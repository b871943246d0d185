import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routeOutlines } from '@stoa/contract/outlines';
import { outlinesOfRoutes } from '../../../scripts/route-outlines.ts';

test('the route table matches the routes (npm run openapi updates it)', () => {
  assert.deepEqual(routeOutlines, outlinesOfRoutes());
});
