import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rejectCrossSite } from '../../src/auth/reject-cross-site.ts';

const trusted = ['https://stoa.example', 'https://app.stoa.example'];
const rejected = { code: 'cross_site_request' };

test('a script that sends neither header may sign in', () => {
  rejectCrossSite({ origin: null, secFetchSite: null }, trusted);
});

test('our own pages may sign in, whichever header the browser sends', () => {
  rejectCrossSite({ origin: 'https://stoa.example', secFetchSite: 'same-origin' }, trusted);
  rejectCrossSite({ origin: 'https://app.stoa.example', secFetchSite: 'same-site' }, trusted);
  rejectCrossSite({ origin: 'https://stoa.example', secFetchSite: null }, trusted);
  rejectCrossSite({ origin: null, secFetchSite: 'same-origin' }, trusted);
});

test("another site's page may not sign its visitor in", () => {
  for (const origin of ['https://evil.example', 'null', 'https://stoa.example.evil.example', null]) {
    assert.throws(() => rejectCrossSite({ origin, secFetchSite: 'cross-site' }, trusted), rejected);
  }
  assert.throws(
    () => rejectCrossSite({ origin: 'https://evil.example', secFetchSite: null }, trusted),
    rejected,
  );
  assert.throws(() => rejectCrossSite({ origin: 'null', secFetchSite: null }, trusted), rejected);
  assert.throws(() => rejectCrossSite({ origin: null, secFetchSite: 'same-site' }, trusted), rejected);
});
