import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCommand } from '../install/started-command.ts';
import { findChromium, openChromium } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { signUpOnPage } from './support/accounts.ts';
import { watchPages } from './support/watch-pages.ts';

const root = join(import.meta.dirname, '../..');
const testMsMax = 600_000;
const actionMsMax = 60_000;
const found = await findChromium();

test('npm run dev serves the app from its sources with the API and shows changes to them', {
  skip: found.kind === 'missing' ? found.reason : false,
  timeout: testMsMax,
}, async (t) => {
  assert.ok(found.kind === 'found');
  const [port, serverPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const data = await mkdtemp(join(tmpdir(), 'stoa-dev-'));
  const command = await startCommand([process.execPath, 'scripts/dev.ts', '--port', String(port)], {
    cwd: root,
    url,
    variables: { STOA_PORT: String(serverPort), STOA_DATA_DIR: data },
  });
  const browser = await openChromium(found.path);
  t.after(async () => {
    await browser.close();
    await command[Symbol.asyncDispose]();
    await rm(data, { recursive: true });
  });
  const context = await browser.newContext({ baseURL: url });
  context.setDefaultTimeout(actionMsMax);
  const problems = await watchPages(context, url, {});
  const page = await context.newPage();
  await signUpOnPage(page, { name: 'Ada', email: 'ada@example.org', password: 'correct horse battery' });
  const form = page.getByRole('form', { name: 'Create your first workspace' });
  await form.getByLabel('Name').fill('Team');
  await form.getByRole('button', { name: 'Create workspace' }).click();
  // A worker parses its text.
  await page.getByRole('article', { name: 'README.md' }).getByRole('heading').first().waitFor();

  const updated = page.waitForEvent('console', (message) =>
    message.text().includes('hot updated: /src/ui/button.css'),
  );
  const now = new Date();
  await utimes(join(root, 'packages/web/src/ui/button.css'), now, now);
  await updated;

  const shared = await fetch(`${url}/s/none`);
  assert.equal(shared.status, 404);
  assert.deepEqual(problems, []);
  await command.terminate();
  await assert.rejects(fetch(`http://127.0.0.1:${serverPort}/api/health`), 'the server still runs');
});
