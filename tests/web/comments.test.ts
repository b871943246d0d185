import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertStatus } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf, recordsAt, textAt } from '../support/response.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { holdResponses } from './support/held-requests.ts';
import { focused } from './support/keyboard.ts';
import { selectText } from './support/select-text.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();
const textOf = (page: Page) => page.locator('article.stoa-content');

const source = `# Notes

This is a **bold** word in the text.

The same words stand here.

The same words stand here, too.
`;

test('W10: people and agents comment on passages', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const home = await createWorkspace(ada, ada.session, 'Team');
  assertStatus(await home.put('notes.md', source), 201);
  const key = await createKey(ada, { name: 'Claude', actorType: 'agent', workspaceId: home.id });
  const agent = home.as(key.client);
  const threadsOf = async () =>
    recordsAt(jsonOf(await home.query('comments', { path: 'notes.md' })), 'threads');
  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${home.id}/f/notes.md`);
  const article = page.getByRole('article', { name: 'notes.md' });
  await article.getByText('too.').waitFor();
  const panel = page.getByRole('complementary', { name: 'Comments' });
  const form = panel.getByRole('form', { name: 'New comment' });

  // The quote is the source text. It includes the markers of an element that is selected whole.
  await selectText(textOf(page), 'bold', 'word');
  await page.getByRole('button', { name: 'Add comment' }).click();
  await form.getByText('**bold** word').waitFor();
  await form.getByLabel('Comment').fill('Why bold?');
  await form.getByRole('button', { name: 'Post comment' }).click();
  const bold = panel.getByRole('article', { name: 'Comment on “**bold** word”' });
  await bold.waitFor();
  await page.getByRole('status').filter({ hasText: 'Comment posted.' }).waitFor();
  assert.deepEqual(
    (await threadsOf()).map((thread) => textAt(thread, 'quote')),
    ['**bold** word'],
  );
  await article.getByRole('button', { name: '1 comment on “**bold** word”' }).waitFor();
  assert.deepEqual(await article.locator('mark').allTextContents(), ['bold', ' word']);
  await page.getByRole('button', { name: 'Comments (1)' }).waitFor();

  // For repeated text the keyboard comments on the selected occurrence.
  await selectText(textOf(page), 'same words', 'same words', 1);
  await page.keyboard.press('Control+Alt+M');
  await form.getByLabel('Comment').fill('Again?');
  await page.keyboard.press('Control+Enter');
  await panel.getByRole('article', { name: 'Comment on “same words”' }).waitFor();
  const [, repeated] = await threadsOf();
  assert.deepEqual(repeated?.currentRange, {
    start: source.lastIndexOf('same words'),
    end: source.lastIndexOf('same words') + 'same words'.length,
  });

  // An agent writes elsewhere, and the thread stays at its text. An agent replies and resolves.
  const moved = `A new first line.\n\n${source}`;
  assertStatus(await agent.put('notes.md', moved, { ifMatch: 1 }), 200);
  await article.getByText('A new first line.').waitFor();
  await article.getByRole('button', { name: '1 comment on “**bold** word”' }).waitFor();
  const [first] = await threadsOf();
  const threadId = textAt(first ?? {}, 'id');
  assertStatus(await agent.post(`comments/${threadId}/replies`, { body: 'For weight.' }), 201);
  await bold.getByText('For weight.').waitFor();
  await bold.getByText('Claude (agent)').waitFor();
  assertStatus(await agent.send('PUT', `/comments/${threadId}/resolved`, { json: { resolved: true } }), 200);
  await panel.getByRole('tab', { name: 'Resolved (1)' }).click();
  await bold.getByRole('button', { name: 'Reopen' }).click();
  await page.getByRole('status').filter({ hasText: 'Comment reopened.' }).waitFor();
  await panel.getByRole('tab', { name: 'Open (2)' }).click();

  // A double click on Reply makes one entry.
  await bold.getByLabel('Reply to comment').fill('I see.');
  await bold.getByRole('button', { name: 'Reply', exact: true }).dblclick();
  await bold.getByText('I see.').waitFor();
  await page.getByText('Reply posted.').waitFor();
  const entries = async () =>
    recordsAt((await threadsOf())[0] ?? {}, 'entries').map((each) => textAt(each, 'body'));
  assert.deepEqual(await entries(), ['For weight.', 'I see.']);

  // The thread of rewritten text is outdated and links to the old version. Filters and order apply.
  assertStatus(
    await agent.put('notes.md', moved.replace('This is a **bold** word in the text.', 'Gone.'), {
      ifMatch: 2,
    }),
    200,
  );
  await bold.getByText('Outdated', { exact: true }).waitFor();
  await bold.getByRole('link', { name: 'See version 1' }).waitFor();
  const threads = panel.getByRole('list', { name: 'Comments' }).getByRole('article');
  const names = () => threads.evaluateAll((found) => found.map((each) => each.getAttribute('aria-label')));
  assert.deepEqual(await names(), ['Comment on “same words”', 'Comment on “**bold** word”']);
  await panel.getByLabel('Show').selectOption('Outdated');
  assert.deepEqual(await names(), ['Comment on “**bold** word”']);
  await panel.getByLabel('Show').selectOption('By agents');
  assert.deepEqual(await names(), []);
  await panel.getByLabel('Show').selectOption('All');
  await panel.getByLabel('Order').selectOption('Newest first');
  assert.deepEqual(await names(), ['Comment on “same words”', 'Comment on “**bold** word”']);

  await bold.getByRole('link', { name: 'See version 1' }).click();
  const earlier = page.getByRole('region', { name: 'Earlier version' });
  await earlier.getByText('The text this comment was about').waitFor();
  await earlier.getByText('word in the text.').waitFor();
  await earlier.getByRole('button', { name: 'Back to current' }).click();
  await article.getByText('Gone.').waitFor();

  // The quote may now match several positions.
  const both = moved.replace('The same words stand here.\n\nThe same words stand here, too.', 'x');
  assertStatus(
    await agent.put('notes.md', `${both}\nThe same words stand here, too.\n`, { ifMatch: 3 }),
    200,
  );
  const [, again] = await threadsOf();
  if (again?.anchorStatus === 'ambiguous') await panel.getByText('Several places fit').waitFor();

  // Keys go through the threads in the shown order. A reply can resolve a thread.
  const repeatedThread = panel.getByRole('article', { name: 'Comment on “same words”' });
  await bold.getByText('Why bold?').click();
  await page.keyboard.press('k');
  await focused(repeatedThread);
  await page.keyboard.press('j');
  await focused(bold);
  // Both keys at once: the reply belongs to the new thread.
  await page.evaluate(() => {
    for (const key of ['k', 'r'])
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  });
  await focused(repeatedThread.getByLabel('Reply to comment'));
  await page.keyboard.type('Twice on purpose.');
  await page.keyboard.press('ControlOrMeta+Shift+Enter');
  await panel.getByRole('tab', { name: 'Resolved (1)' }).waitFor();
  const [, responded] = await threadsOf();
  assert.equal(responded?.status, 'resolved');
  assert.equal(textAt(recordsAt(responded ?? {}, 'entries')[0] ?? {}, 'body'), 'Twice on purpose.');

  // Resolved in the app.
  await bold.getByRole('button', { name: 'Resolve', exact: true }).click();
  await panel.getByRole('tab', { name: 'Resolved (2)' }).waitFor();
  await page.getByRole('status').filter({ hasText: 'Comment resolved.' }).first().waitFor();
  assert.equal((await threadsOf())[0]?.status, 'resolved');

  const point = {
    kind: 'point',
    path: 'notes.md',
    contextBefore: '# Notes',
    contextAfter: '\n',
    body: 'Here',
  };
  assertStatus(await agent.post('comments', point), 201);
  await panel.getByRole('tab', { name: /^Open/ }).click();
  await panel.getByRole('article', { name: 'Comment at a place in the text' }).waitFor();
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  const changes = page.getByRole('main').getByRole('list', { name: 'Changes' });
  for (const said of ['commented on', 'replied on', 'resolved a comment on', 'reopened a comment on'])
    await changes
      .getByRole('listitem')
      .filter({ hasText: `${said} notes.md` })
      .first()
      .waitFor();
});

test(
  'rejects a selection above 4 KiB before typing; other files say why they have no comments',
  app.options,
  async (t) => {
    const ada = await signUp(app.client, 'Ada');
    const home = await createWorkspace(ada);
    assertStatus(await home.put('long.md', `${'word '.repeat(1000)}end\n`), 201);
    assertStatus(await home.put('code.ts', 'const a = 1;\n'), 201);
    const page = await app.open(t, { as: ada });
    await page.goto(`/w/${home.id}/f/long.md?panel=comments`);
    await page.getByText('No comments. Select some text to begin.').waitFor();
    await page.getByRole('article', { name: 'long.md' }).getByText('end').waitFor();
    await selectText(textOf(page), 'word', 'end');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page
      .getByRole('form', { name: 'New comment' })
      .getByText('That selection is too long. Select less.')
      .waitFor();
    await page.goto(`/w/${home.id}/f/code.ts?panel=comments`);
    await page.getByText('Only markdown files can be commented on.').waitFor();
  },
);

test(
  'keeps every word of a reply whose response is lost, or that grows during the request',
  app.options,
  async (t) => {
    const ada = await signUp(app.client, 'Ada');
    const home = await createWorkspace(ada);
    assertStatus(await home.put('a.md', 'one two three\n'), 201);
    const about = { path: 'a.md', kind: 'range', quote: 'two', occurrence: 1, baseVersion: 1, body: 'Why?' };
    assertStatus(await home.post('comments', about), 201);
    const replies = async () => {
      const [thread] = recordsAt(jsonOf(await home.query('comments', { path: 'a.md' })), 'threads');
      return recordsAt(thread ?? {}, 'entries').map((each) => textAt(each, 'body'));
    };
    const page = await app.open(t, { as: ada, allowed: { messages: [/net::ERR_FAILED/] } });
    await page.goto(`/w/${home.id}/f/a.md?panel=comments`);
    const thread = page.getByRole('article', { name: 'Comment on “two”' });
    const field = thread.getByLabel('Reply to comment');
    const reply = thread.getByRole('button', { name: 'Reply', exact: true });

    await page.route('**/replies', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await field.fill('I see.');
    await reply.click();
    await thread.getByRole('alert').waitFor();
    await page.unroute('**/replies');
    await field.press('End');
    await page.keyboard.type(' And more.');
    await reply.click();
    await page.getByRole('status').filter({ hasText: 'Reply posted.' }).waitFor();
    assert.deepEqual(await replies(), ['I see.', 'I see. And more.']);
    assert.equal(await field.inputValue(), '');

    const responses = await holdResponses(page, '**/replies', () => true);
    responses.hold();
    const asked = page.waitForRequest('**/replies');
    await field.fill('Third.');
    await reply.click();
    await asked;
    await field.press('End');
    await page.keyboard.type(' Fourth.');
    responses.release();
    await thread.getByText('Third.', { exact: true }).waitFor();
    assert.equal(await field.inputValue(), 'Fourth.');
  },
);

test('keeps a typed comment when the quoted text is gone', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const home = await createWorkspace(ada);
  assertStatus(await home.put('a.md', 'one two three\n'), 201);
  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${home.id}/f/a.md`);
  await page.getByText('one two three').waitFor();
  await selectText(textOf(page), 'two', 'two');
  await page.getByRole('button', { name: 'Add comment' }).click();
  const form = page.getByRole('form', { name: 'New comment' });
  await form.getByLabel('Comment').fill('Is it?');
  assertStatus(await home.put('a.md', 'something else\n', { ifMatch: 1 }), 200);
  await page.getByText('something else').waitFor();
  await form.getByRole('button', { name: 'Post comment' }).click();
  await form.getByText('The file changed under your selection. Select the text again.').waitFor();
  assert.equal(await form.getByLabel('Comment').inputValue(), 'Is it?');
});
