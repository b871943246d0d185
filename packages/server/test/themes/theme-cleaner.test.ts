import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createThemeCleaner } from '../../src/service/themes/theme-cleaner.ts';

const themeThread = new URL('../../src/theme-thread.ts', import.meta.url);

test('themes that come at once are each cleaned', async () => {
  await using cleaner = createThemeCleaner(themeThread);
  const themes = ['a{color:red;b:url(x)}', '@import "x";', 'b{color:blue}'];
  assert.deepEqual(await Promise.all(themes.map((css) => cleaner.clean(css))), [
    'a{color:red}',
    null,
    'b{color:blue}',
  ]);
});

test('a theme that cannot be read is refused with the reason, and the next one is cleaned', async () => {
  await using cleaner = createThemeCleaner(themeThread);
  await assert.rejects(cleaner.clean('('.repeat(60_000)), { code: 'invalid_request', message: /32 deep/ });
  assert.equal(await cleaner.clean('a{b:c}'), 'a{b:c}');
});

test('more themes at once than anybody sets are turned away', async () => {
  await using cleaner = createThemeCleaner(themeThread);
  const answers = await Promise.allSettled(Array.from({ length: 12 }, () => cleaner.clean('a{b:c}')));
  const codes = answers.map((answer) => (answer.status === 'fulfilled' ? 'cleaned' : answer.reason.code));
  assert.deepEqual(codes, [...Array(8).fill('cleaned'), ...Array(4).fill('overloaded')]);
  assert.equal(await cleaner.clean('a{b:c}'), 'a{b:c}');
});

test('a thread that ends without an answer is a fault, not an empty theme', async () => {
  await using cleaner = createThemeCleaner(new URL('data:text/javascript,'));
  await assert.rejects(cleaner.clean('a{b:c}'), /its thread ended/);
});
