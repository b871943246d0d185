import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routeOutlines } from '@stoa/contract/outlines';
import { outlinesOfRoutes } from '../../../scripts/route-outlines.ts';

test('the outlines of the routes are in step with them: npm run openapi writes them anew', () => {
  assert.deepEqual(routeOutlines, outlinesOfRoutes());
});
