import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareCookie } from '../../src/http/pages/share/share-cookie.ts';
import { parseShareTarget } from '../../src/http/pages/share/share-target.ts';
import { routableTarget } from '../../src/http/request/file-target.ts';

const targets: readonly (readonly [string, string, string | null, string])[] = [
  ['/s/tok', '/s/-', '', 'tok/'],
  ['/s/tok?v=1', '/s/-?v=1', '', 'tok/'],
  ['/s/tok/content', '/s/-/content', '', ''],
  ['/s/tok/content/a%20b/c.md?v=1', '/s/-/content/-?v=1', 'a b/c.md', '../../'],
  ['/s/tok/view/a.md', '/s/-/view/-', 'a.md', '../'],
  ['/s/tok/view/a/', '/s/-/view/-', 'a', '../../'],
  ['/s/tok/content/a/../b', '/s/-/content/-', null, '../../../'],
  ['/s/tok/content/%ff', '/s/-/content/-', null, '../'],
  ['/s/tok/unlock', '/s/-/unlock', '', ''],
  ['/s/%zz', '/s/-', '', '%25zz/'],
];
for (const [target, routed, below, base] of targets) {
  test(`${target} is taken apart without the router`, () => {
    assert.equal(routableTarget(target), routed);
    const parsed = parseShareTarget(target);
    assert.equal(parsed.below, below);
    assert.equal(parsed.base, base);
    const here = new URL(target, 'http://server');
    if (below !== null) {
      assert.equal(new URL(`${base}x`, here).pathname, `/s/${encodeURIComponent(parsed.token)}/x`);
    }
  });
}

test('the proof of a password goes to its link alone, over https where the app is', () => {
  const plain = shareCookie('http://127.0.0.1:4700');
  assert.equal(
    plain.write('tok', 'proof', 60),
    'stoa_share=proof; Path=/s/tok; Max-Age=60; HttpOnly; SameSite=Lax',
  );
  const secure = shareCookie('https://example.org/app');
  const written = secure.write('tok', 'proof', 60);
  assert.match(written, /^__Secure-stoa_share=proof; Path=\/app\/s\/tok;.*; Secure$/);
  assert.equal(secure.read(`a=b; ${written}`), 'proof');
  assert.equal(secure.read('stoa_share=forged'), null);
  assert.equal(plain.read(null), null);
});
