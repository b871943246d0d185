import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useApp } from './support/use-app.ts';
import { watchPages } from './support/watch-pages.ts';

const app = await useApp();

test(
  'the app starts under its content security policy at each address and after a reload',
  app.options,
  async (t) => {
    const page = await app.open(t, { allowed: { messages: [/status of 404/] } });
    for (const [address, status] of [
      ['/signin', 200],
      ['/w/nothing/f/a%20b/%E2%80%AE.md', 200],
      ['/nothing/at/all', 404],
    ] as const) {
      const response = await page.goto(address);
      assert.equal(response?.status(), status, address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.reload();
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
  },
);

test('the page says what is missing when scripts are disabled', app.options, async (t) => {
  const page = await app.open(t, { options: { javaScriptEnabled: false } });
  await page.goto('/signin');
  const said = (await page.locator('body').innerText()).trim();
  assert.equal(said, 'Stoa needs JavaScript in this browser; shared pages and the API work without it.');
});

test('the tests detect forbidden actions of a page', app.options, async (t) => {
  const page = await app.open(t, { allowed: { messages: [/./], origins: ['http://127.0.0.1:1'] } });
  const problems = await watchPages(page.context(), app.url, {});
  await page.goto('/signin');
  const expected = [/script-src-attr/, /style-src-attr/, /img-src/, /^an error$/];
  const reported = expected.map((pattern) =>
    page.waitForEvent('console', (message) => message.type() === 'error' && pattern.test(message.text())),
  );
  await page.evaluate(() => {
    const script = document.createElement('div');
    script.innerHTML =
      '<img src="data:," onerror="document.title = \'ran\'"><p style="color: red">styled</p>';
    document.body.append(script);
    new Image().src = 'http://127.0.0.1:1/elsewhere.png';
    console.error('an error');
  });
  await Promise.all(reported);
  const said = problems.join('\n');
  for (const pattern of [/script-src-attr/, /style-src-attr/, /img-src/, /console error: an error/]) {
    assert.match(said, pattern);
  }
  assert.notEqual(await page.title(), 'ran');
});
