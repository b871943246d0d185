import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuseCrossSite } from '../../src/auth/refuse-cross-site.ts';

const trusted = ['https://stoa.example', 'https://app.stoa.example'];
const refused = { code: 'cross_site_request' };

test('a script that sends neither header may sign in', () => {
  refuseCrossSite({ origin: null, secFetchSite: null }, trusted);
});

test('our own pages may sign in, whichever header the browser sends', () => {
  refuseCrossSite({ origin: 'https://stoa.example', secFetchSite: 'same-origin' }, trusted);
  refuseCrossSite({ origin: 'https://app.stoa.example', secFetchSite: 'same-site' }, trusted);
  refuseCrossSite({ origin: 'https://stoa.example', secFetchSite: null }, trusted);
  refuseCrossSite({ origin: null, secFetchSite: 'same-origin' }, trusted);
});

test("another site's page may not sign its visitor in", () => {
  for (const origin of ['https://evil.example', 'null', 'https://stoa.example.evil.example', null]) {
    assert.throws(() => refuseCrossSite({ origin, secFetchSite: 'cross-site' }, trusted), refused);
  }
  assert.throws(
    () => refuseCrossSite({ origin: 'https://evil.example', secFetchSite: null }, trusted),
    refused,
  );
  assert.throws(() => refuseCrossSite({ origin: 'null', secFetchSite: null }, trusted), refused);
  assert.throws(() => refuseCrossSite({ origin: null, secFetchSite: 'same-site' }, trusted), refused);
});
