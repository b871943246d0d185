import assert from 'node:assert/strict';
import { test } from 'node:test';
import { themeCleanerOf } from '../../src/service/themes/theme-cleaner.ts';
import { createWorkers } from '../../src/workers/create-workers.ts';

test('themes that come at once are each cleaned', async () => {
  await using workers = createWorkers({ maxFileBytes: 1024 });
  const themes = ['a{color:red;b:url(x)}', '@import "x";', 'b{color:blue}'];
  assert.deepEqual(await Promise.all(themes.map((css) => workers.themes.clean('workspace', css))), [
    'a{color:red}',
    null,
    'b{color:blue}',
  ]);
});

test('an unreadable theme is rejected with the reason, and the next one is cleaned', async () => {
  await using workers = createWorkers({ maxFileBytes: 1024 });
  const clean = (css: string) => workers.themes.clean('workspace', css);
  await assert.rejects(clean('('.repeat(60_000)), { code: 'invalid_request', message: /32 deep/ });
  assert.equal(await clean('a{b:c}'), 'a{b:c}');
});

test('a theme that takes too long is rejected like an unreadable one', async () => {
  const cleaner = themeCleanerOf({ ask: async () => ({ kind: 'exhausted', limit: 'time' }) });
  await assert.rejects(cleaner.clean('workspace', 'a{b:c}'), {
    code: 'invalid_request',
    message: /too long/,
  });
});
