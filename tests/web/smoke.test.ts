import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { signUpOnPage } from './support/accounts.ts';
import { editor, says } from './support/at-work.ts';
import { selectText } from './support/select-text.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

/** Longer than a text in a database row: it goes to the object store where there is one. */
const long = `${'Words and more of them, far below. '.repeat(80)}\n\n`.repeat(30);

test('on each back end a user signs up, writes, comments and shares', app.options, async (t) => {
  const page = await app.open(t);
  // On a shared server this is not the first user. The app asks for a first workspace all the same.
  const email = `ada-${randomUUID()}@example.org`;
  await signUpOnPage(page, { name: 'Ada', email, password: 'correct horse battery' });
  const first = page.getByRole('form', { name: 'Create your first workspace' });
  await first.getByLabel('Name').fill('Team');
  await first.getByRole('button', { name: 'Create workspace' }).click();
  await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();

  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'New file' });
  await dialog.getByLabel('Name').fill('notes/plan.md');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await editor(page).press('ControlOrMeta+End');
  await page.keyboard.insertText(`The first sentence.\n\n${long}The last sentence.\n`);
  await page.keyboard.press('ControlOrMeta+S');
  await says(page, 'Saved');
  await page.getByRole('radio', { name: 'Read' }).click();
  await page.reload();
  const article = page.getByRole('article', { name: 'plan.md' });
  await article.getByText('The last sentence.').waitFor();

  await selectText(article, 'The first sentence.', 'The first sentence.');
  await page.getByRole('button', { name: 'Add comment' }).click();
  const form = page.getByRole('form', { name: 'New comment' });
  await form.getByLabel('Comment').fill('Is it?');
  await form.getByRole('button', { name: 'Post comment' }).click();
  const thread = page.getByRole('article', { name: 'Comment on “The first sentence.”' });
  await thread.getByLabel('Reply to comment').fill('It is.');
  await thread.getByRole('button', { name: 'Reply', exact: true }).click();
  await thread.getByRole('list', { name: 'Replies' }).getByText('It is.').waitFor();

  await page.getByRole('banner').getByRole('button', { name: 'Share' }).click();
  const share = page.getByRole('dialog', { name: 'Share plan.md' });
  await share.getByRole('radio', { name: 'Anyone with the link' }).check();
  await share.getByRole('button', { name: 'Create link' }).click();
  const link = share.getByRole('listitem', { name: 'Public link' });
  const address = await link.getByRole('textbox', { name: 'Address' }).inputValue();
  const stranger = await app.open(t, { allowed: { messages: [/favicon/, /status of 404/] } });
  await stranger.goto(new URL(address).pathname);
  const main = stranger.getByRole('main');
  for (const words of ['The first sentence.', 'The last sentence.'])
    assert.ok((await main.textContent())?.includes(words), words);
});
