import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { assertStatus } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf, recordsAt, textAt } from '../support/response.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { holdRequests, isPut } from './support/held-requests.ts';
import { focused } from './support/keyboard.ts';
import { selectText } from './support/select-text.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

const source = `# Notes

An agent has something to say.

The same words stand here.

The same words stand here, too.
`;

/** Delays the work after the next focus of the element, as on a busy page. */
async function isLateAfterFocus(shown: Locator): Promise<void> {
  await shown.evaluate((element) => {
    const { now } = Date;
    element.addEventListener('focusin', () => (Date.now = () => now() + 1000), { once: true });
  });
}

test('W10: comments on unsaved text while writing', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const home = await createWorkspace(ada);
  assertStatus(await home.put('notes.md', source), 201);
  const agent = home.as((await createKey(ada, { name: 'Claude' })).client);
  const started = { path: 'notes.md', body: 'Me?', kind: 'range', quote: 'An agent', baseVersion: 1 };
  assertStatus(await agent.post('comments', started), 201);
  const threads = async () =>
    recordsAt(jsonOf(await home.query('comments', { path: 'notes.md' })), 'threads');
  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${home.id}/f/notes.md?mode=edit`);
  const editor = page.getByRole('textbox', { name: 'Text of notes.md' });
  const panel = page.getByRole('complementary', { name: 'Comments' });
  const form = panel.getByRole('form', { name: 'New comment' });
  const saveState = page.getByRole('status', { name: 'Save state' });

  // The agent's thread has a mark that opens it.
  const agents = editor.getByRole('button', { name: '1 comment on “An agent”' });
  await agents.click();
  await panel.getByRole('article', { name: 'Comment on “An agent”' }).waitFor();
  await editor.locator('.editor-comment-active', { hasText: 'An agent' }).waitFor();

  // After Cancel the passage is still selected.
  await selectText(editor, 'something', 'something');
  await page.getByRole('button', { name: 'Add comment' }).click();
  await form.getByText('something', { exact: true }).waitFor();
  await isLateAfterFocus(editor);
  await form.getByRole('button', { name: 'Cancel' }).click();
  await form.waitFor({ state: 'detached' });
  await editor.and(page.locator(':focus')).waitFor();
  assert.equal(await page.evaluate(() => getSelection()?.toString()), 'something');

  // The text typed above cannot be saved yet. The comment is on the second of two equal passages.
  const puts = await holdRequests(page, '**/files/notes.md*', isPut);
  await editor.press('ControlOrMeta+Home');
  await page.keyboard.type('The same words.\n\n');
  assert.deepEqual(await editor.locator('mark').allTextContents(), ['An agent']);
  await selectText(editor, 'same words', 'same words', 2);
  await page.getByRole('button', { name: 'Add comment' }).click();
  await form.getByText('same words', { exact: true }).waitFor();
  await form.getByLabel('Comment').fill('Which?');
  await form.getByRole('button', { name: 'Post comment' }).click();
  await puts.next();
  assert.equal((await threads()).length, 1);
  await puts.release();
  await panel.getByRole('article', { name: 'Comment on “same words”' }).waitFor();
  await focused(editor);
  const saved = `The same words.\n\n${source}`;
  assert.equal((await home.get('notes.md')).bytes.toString(), saved);
  const posted = (await threads()).find((thread) => textAt(thread, 'quote') === 'same words');
  const start = saved.lastIndexOf('same words');
  assert.deepEqual(posted?.currentRange, { start, end: start + 'same words'.length });
  await editor.getByRole('button', { name: '1 comment on “same words”' }).waitFor();
  assert.deepEqual(await editor.locator('mark').allTextContents(), ['An agent', 'same words']);

  // A thread in the panel shows its passage, and the caret in a passage shows its thread.
  await panel.getByRole('article', { name: 'Comment on “An agent”' }).click();
  await editor.locator('.editor-comment-active', { hasText: 'An agent' }).waitFor();
  await editor.locator('mark', { hasText: 'same words' }).click();
  await page.waitForURL((url) => url.searchParams.get('thread') === textAt(posted ?? {}, 'id'));

  // Marks move with text typed before and within them. Reading shows the unsaved text with its marks.
  const later = await holdRequests(page, '**/files/notes.md*', isPut);
  await editor.press('ControlOrMeta+Home');
  await page.keyboard.type('Unsaved words.\n\n');
  await editor.getByText('An agent has something').click();
  await page.keyboard.press('Home');
  // In one step: the editor undoes keys with half a second between them one by one.
  await page.keyboard.insertText('Somebody: ');
  assert.deepEqual(await editor.locator('mark').allTextContents(), ['An agent', 'same words']);
  await page.keyboard.press('Escape');
  const article = page.getByRole('article', { name: 'notes.md' });
  await article.getByText('Unsaved words.').waitFor();
  await article.getByText('Somebody:').waitFor();
  await later.next();
  await saveState.getByText('Saving…').waitFor();
  assert.doesNotMatch((await home.get('notes.md')).bytes.toString(), /Unsaved/);
  assert.deepEqual(await article.locator('mark').allTextContents(), ['An agent', 'same words']);
  await article.getByRole('button', { name: '1 comment on “An agent”' }).click();
  await page.waitForURL((url) => url.searchParams.get('thread') !== textAt(posted ?? {}, 'id'));

  // Undo still works after reading mode and removes the typed text.
  await page.getByRole('radio', { name: 'Edit' }).click();
  await editor.getByText('Unsaved words.').waitFor();
  await later.release();
  await saveState.and(page.getByText('Saved', { exact: true })).waitFor();
  await editor.press('ControlOrMeta+z');
  await editor.getByText('Somebody:').waitFor({ state: 'detached' });
  await page.keyboard.press('ControlOrMeta+s');
  await saveState.and(page.getByText('Saved', { exact: true })).waitFor();
  assert.deepEqual(await editor.locator('mark').allTextContents(), ['An agent', 'same words']);
  assert.doesNotMatch((await home.get('notes.md')).bytes.toString(), /Somebody/);
});
