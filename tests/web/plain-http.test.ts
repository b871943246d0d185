import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { findChromium, openChromium } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { makeServiceHome } from '../support/service-home.ts';
import { startService } from '../support/service-process.ts';
import { signUpOnPage } from './support/accounts.ts';
import { axeClean } from './support/axe-clean.ts';
import { focused } from './support/keyboard.ts';
import { makeSureOfBuild } from './support/use-app.ts';
import { watchPages } from './support/watch-pages.ts';

const testMsMax = 600_000;
const actionMsMax = 60_000;
const found = await findChromium();

test('writing, drafts, uploads, comments and copying by hand work over plain http on another host', {
  skip: found.kind === 'missing' ? found.reason : false,
  timeout: testMsMax,
}, async (t) => {
  assert.ok(found.kind === 'found');
  await makeSureOfBuild();
  const port = await freePort();
  const url = `http://files.lan:${port}`;
  const home = await makeServiceHome();
  after(() => home[Symbol.asyncDispose]());
  await using service = await startService({ STOA_BASE_URL: url }, { home, port });
  assert.ok(service.isRunning());
  // The browser treats this name as another host, so its pages are not secure contexts.
  const browser = await openChromium(found.path, ['--host-resolver-rules=MAP files.lan 127.0.0.1']);
  t.after(() => browser.close());
  const context = await browser.newContext({ baseURL: url, locale: 'en-US', timezoneId: 'UTC' });
  context.setDefaultTimeout(actionMsMax);
  const problems = await watchPages(context, url, {
    // The browser accepts the header only from trustworthy origins and logs that.
    messages: [/^The Cross-Origin-Opener-Policy header has been ignored/],
  });
  const page = await context.newPage();
  await signUpOnPage(page, { name: 'Ada', email: 'ada@example.org', password: 'correct horse battery' });
  assert.deepEqual(
    await page.evaluate(() => [
      isSecureContext,
      typeof crypto.subtle,
      typeof navigator.clipboard,
      typeof navigator.locks,
    ]),
    [false, 'undefined', 'undefined', 'undefined'],
  );
  const first = page.getByRole('form', { name: 'Create your first workspace' });
  await first.getByLabel('Name').fill('Team');
  await first.getByRole('button', { name: 'Create workspace' }).click();
  await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
  const top = page.url();

  // Writing: the app computes content hashes and draft ids without the browser's crypto functions.
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'New file' });
  await dialog.getByLabel('Name').fill('plan.md');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const editor = page.getByRole('textbox', { name: 'Text of plan.md' });
  await focused(editor);
  await page.keyboard.type('Words of a plan.');
  const state = page.getByRole('status', { name: 'Save state' });
  await state.and(page.getByText('Saved', { exact: true })).waitFor();

  // Drafts are kept without the Web Locks API.
  await context.setOffline(true);
  await page.keyboard.type(' More of them.');
  await state.and(page.getByText('Offline: kept on this device', { exact: true })).waitFor();
  await context.setOffline(false);
  await state.and(page.getByText('Saved', { exact: true })).waitFor();

  // The hash identifies the same bytes in a second upload.
  await page.goto(top);
  const upload = async () => {
    await page.getByRole('button', { name: 'New', exact: true }).click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('menuitem', { name: 'Upload files' }).click();
    await (await chooser).setFiles({
      name: 'a.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('some bytes'),
    });
  };
  const notices = page.getByRole('region', { name: 'Notifications' });
  await upload();
  await notices.getByText('Uploaded a.txt.').waitFor();
  await page.getByRole('row', { name: 'a.txt' }).waitFor();
  await upload();
  await notices.getByText('a.txt was already there.').waitFor();

  await page.goto(`${top}/f/plan.md`);
  const text = page.getByRole('article', { name: 'plan.md' }).getByText('Words of a plan. More of them.');
  await text.dblclick({ position: { x: 8, y: 8 } });
  await page.getByRole('button', { name: 'Add comment' }).click();
  const comment = page.getByRole('form', { name: 'New comment' });
  await comment.getByLabel('Comment').fill('Which?');
  await comment.getByRole('button', { name: 'Post comment' }).click();
  const thread = page.getByRole('article', { name: 'Comment on “Words”' });
  await thread.getByLabel('Reply to comment').fill('Those.');
  await thread.getByRole('button', { name: 'Reply', exact: true }).click();
  await thread.getByRole('list', { name: 'Replies' }).getByText('Those.').waitFor();

  // Without a clipboard the app selects the text for copying by hand.
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Copy path' }).click();
  await page.getByText(/^Press (?:Ctrl|⌘)\+C\.$/).waitFor();
  await page.waitForFunction(() => {
    const field = document.activeElement;
    const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    return isField && field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0) === 'plan.md';
  });
  await axeClean(page);
  assert.deepEqual(problems, []);
});
