import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertStatus, listedPaths } from '../support/expect.ts';
import { fillWorkspace } from '../support/fill-workspace.ts';
import { signUp } from '../support/people.ts';
import { jsonOf, recordOf, recordsAt, textAt } from '../support/response.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { axeClean } from './support/axe-clean.ts';
import { goTo } from './support/go-to.ts';
import { holdRequests } from './support/held-requests.ts';
import { focused } from './support/keyboard.ts';
import { selectText } from './support/select-text.ts';
import { useOwnApp } from './support/use-app.ts';

/** States that few users ever see. Each is caused on the server, as in production. */
const app = await useOwnApp();

/** Ada's empty workspace, and a page on which she is signed in. */
async function opened(t: TestContext, files: Readonly<Record<string, string>> = {}) {
  const ada = await signUp(app.client, 'Ada');
  const workspace = await createWorkspace(ada);
  for (const [path, text] of Object.entries(files)) assertStatus(await workspace.put(path, text), 201);
  // The console logs requests that a test rejects on purpose.
  const page = await app.open(t, { as: ada, allowed: { messages: [/status of [45]\d\d/] } });
  return { ada, workspace, page, at: (path: string) => `/w/${workspace.id}${path}` };
}

const notices = (page: Page) => page.getByRole('region', { name: 'Notifications' });
const panel = (page: Page, name: string) => page.getByRole('complementary', { name });

test(
  'a folder of more than 1,000 items has no custom order; a stopped move can be undone',
  app.options,
  async (t) => {
    const files = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`f/${i}.md`, `${i}`]));
    const { workspace, page, at } = await opened(t, { 'first.md': '# First\n', ...files });
    const paths = "'many/note ' || n || '.md'";
    await fillWorkspace(app.service.home, workspace.id, { copyOf: 'first.md', count: 1001, paths });
    await page.goto(at('/d/many'));
    await page.getByRole('button', { name: 'Actions for note 1.md' }).click();
    const reason = 'Only folders with up to 1,000 items can be ordered by hand.';
    for (const name of ['Move up', 'Move down']) {
      const item = page.getByRole('menuitem', { name, exact: true });
      await item.and(page.locator(`[aria-disabled="true"][aria-description="${reason}"]`)).waitFor();
    }
    await page.keyboard.press('Escape');

    await goTo(page, at(''));
    let asked = 0;
    const held: (() => void)[] = [];
    await page.route('**/move', async (route) => {
      asked += 1;
      if (asked > 3) await new Promise<void>((resolve) => held.push(resolve));
      await route.continue().catch(() => {});
    });
    await page.getByRole('row', { name: 'f', exact: true }).focus();
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: 'Move f' });
    await dialog.getByLabel('Find a folder').fill('kept');
    await dialog.getByRole('option', { name: 'New folder kept' }).click();
    await dialog.getByRole('button', { name: 'Move here' }).click();
    const progress = notices(page).getByRole('status').filter({ hasText: 'Moving f: 3 of 8' });
    await progress.getByRole('button', { name: 'Stop' }).click();
    await page.unroute('**/move');
    for (const go of held) go();
    const left = notices(page)
      .getByRole('status')
      .filter({ hasText: /Moved [3-6] of 8 files\./ });
    await left.getByRole('button', { name: 'Move back' }).click();
    await notices(page).getByRole('status').filter({ hasText: 'Moved f to Workspace.' }).waitFor();
    assert.equal((await listedPaths(workspace, 'f')).length, 8);
    assert.deepEqual(await listedPaths(workspace, 'kept'), []);
  },
);

test('an ambiguous quote, earlier replies, and a version that is no longer kept', app.options, async (t) => {
  // Too large for a database row, so that removing stored objects removes its text.
  const text = `# Words\n\nThe same words.\n\nThe same words.\n\n${'Much more of it.\n'.repeat(5000)}`;
  const { workspace, page, at } = await opened(t, { 'a.md': text });
  await page.goto(at('/f/a.md'));
  const article = page.getByRole('article', { name: 'a.md' });
  await article.getByText('The same words.').first().waitFor();
  const comments = panel(page, 'Comments');
  const form = comments.getByRole('form', { name: 'New comment' });
  let change: (asked: Record<string, unknown>) => void = () => {};
  await page.route('**/comments', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const asked = route.request().postDataJSON();
    change(asked);
    await route.continue({ postData: JSON.stringify(asked) });
  });
  // The app says which occurrence it means. A proxy, or a server that counts differently, may lose that.
  change = (asked) => {
    for (const name of ['occurrence', 'contextBefore', 'contextAfter']) delete asked[name];
  };
  await selectText(page.locator('article.stoa-content'), 'same words', 'same words', 1);
  await page.getByRole('button', { name: 'Add comment' }).click();
  await form.getByLabel('Comment').fill('Which?');
  await form.getByRole('button', { name: 'Post comment' }).click();
  await form.getByText('This text appears 2 times. Which one do you mean?').waitFor();
  const locations = form.getByRole('radiogroup', { name: 'Place' });
  assert.equal(await locations.getByRole('radio').count(), 2);
  await locations.getByRole('radio', { name: /^Line 3: / }).waitFor();
  await axeClean(page);
  change = (asked) => {
    asked.quote = 'nowhere to be found';
  };
  await locations.getByRole('radio', { name: /^Line 5: / }).check();
  await form.getByRole('button', { name: 'Post comment' }).click();
  await form.getByText('This text is not in the file any more. Select it again.').waitFor();
  assert.equal(await form.getByLabel('Comment').inputValue(), 'Which?');
  await page.unroute('**/comments');
  await form.getByRole('button', { name: 'Post comment' }).click();
  const thread = comments.getByRole('article', { name: 'Comment on “same words”' });
  await thread.waitFor();
  const [started] = recordsAt(jsonOf(await workspace.query('comments', { path: 'a.md' })), 'threads');
  const at5 = text.lastIndexOf('same words');
  assert.deepEqual(started?.currentRange, { start: at5, end: at5 + 'same words'.length });

  const threadId = textAt(started ?? {}, 'id');
  for (let i = 1; i <= 6; i += 1) {
    assertStatus(await workspace.post(`comments/${threadId}/replies`, { body: `Reply number ${i}` }), 201);
  }
  const replies = thread.getByRole('list', { name: 'Replies' });
  await replies.getByText('Reply number 6').waitFor();
  assert.equal(await replies.getByText('Reply number 2').count(), 0);
  await thread.getByRole('button', { name: 'Show 2 earlier replies' }).click();
  await replies.getByText('Reply number 1').waitFor();
  // The button is gone: the focus moves to the first reply that it showed.
  await focused(replies.getByRole('listitem').first());

  assertStatus(await workspace.put('a.md', '# Other\n', { ifMatch: 1 }), 200);
  assertStatus(await workspace.put('a.md', text, { ifMatch: 2 }), 200);
  await goTo(page, at('/f/a.md?panel=history&compare=1..3'));
  const comparison = page.getByRole('region', { name: 'Comparing version 1 and version 3' });
  await comparison.getByRole('status').filter({ hasText: 'No differences' }).waitFor();
  for (const name of ['Previous change', 'Next change']) {
    const button = comparison.getByRole('button', { name });
    await button.and(page.locator('[aria-disabled="true"][aria-description="No differences"]')).waitFor();
  }
  await axeClean(page);
  await comparison.getByRole('button', { name: 'Close comparison' }).click();

  assertStatus(await workspace.put('a.md', '# Other\n', { ifMatch: 3 }), 200);
  assert.ok((await app.service.home.removeStored()) > 0);
  await goTo(page, at(`/f/a.md?panel=comments&pinned=${threadId}`));
  const earlier = page.getByRole('region', { name: 'Earlier version' });
  await earlier.getByText('This version is no longer kept.').waitFor();
  await axeClean(page);
  await earlier.getByRole('button', { name: 'Back to current' }).click();
  await article.getByRole('heading', { name: 'Other' }).waitFor();
});

test('the activity shows an empty state, a load error and older changes', app.options, async (t) => {
  const { workspace, page, at } = await opened(t);
  let rejects = false;
  await page.route('**/changes?*limit=200*', (route) =>
    rejects && !route.request().url().includes('wait')
      ? route.fulfill({ status: 500, json: { message: 'Out of order' } })
      : route.continue(),
  );
  await page.goto(at('/activity'));
  await page.getByText('Nothing has happened here yet.').waitFor();
  await axeClean(page);

  assertStatus(await workspace.put('first.md', '# First\n'), 201);
  const paths = "'note ' || n || '.md'";
  await fillWorkspace(app.service.home, workspace.id, { copyOf: 'first.md', count: 250, paths });
  rejects = true;
  await page.reload();
  await page.getByRole('alert').filter({ hasText: 'The activity could not be loaded.' }).waitFor();
  await page.getByText('Details').click();
  await page.getByText('Out of order').waitFor();
  await axeClean(page);
  rejects = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  // A page that fails to load still has its heading.
  for (const [rejected, address, heading] of [
    ['**/list?*', at('/d/gone'), 'gone'],
    ['**/list?*', at('/f/first.md'), 'first.md'],
    [`**/api/workspaces/${workspace.id}`, at('/settings'), 'Stoa'],
  ] as const) {
    const other = await page.context().newPage();
    await other.route(rejected, (route) => route.fulfill({ status: 500, json: { message: 'Out of order' } }));
    await other.goto(address);
    await other.getByRole('alert').filter({ hasText: 'could not be loaded.' }).waitFor();
    await other.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
    await other.close();
  }
  const changes = page.getByRole('list', { name: 'Changes' });
  await changes.getByText('created note 249.md').waitFor();
  assert.equal(await changes.getByText('created first.md').count(), 0);
  await page.getByRole('button', { name: 'Older changes' }).click();
  await changes.getByText('created first.md').waitFor();
  await page.getByRole('button', { name: 'Older changes' }).waitFor({ state: 'detached' });
  // The button is gone: the focus moves into the list that it extended.
  await focused(changes.locator(':focus'));
});

test('the app retries while the server is busy', app.options, async (t) => {
  const { workspace, page, at } = await opened(t);
  await page.goto(at(''));
  await page.getByText('This folder is empty.').waitFor();
  await page.route('**/changes?*', (route) =>
    route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: { message: 'Busy' } }),
  );
  // The long poll that is already open returns with this change.
  assertStatus(await workspace.put('first.md', '# First\n'), 201);
  const connection = page.getByRole('status', { name: 'Connection' });
  await connection.getByText('The server is busy. Trying again.').waitFor();
  await axeClean(page);
  await page.unroute('**/changes?*');
  await connection.filter({ hasText: /^$/ }).waitFor({ state: 'attached' });
  assertStatus(await workspace.put('second.md', '# Second\n'), 201);
  await page.getByRole('row', { name: 'second.md' }).waitFor();
});

test(
  'dropped CSS rules, a link with an unknown address, and a copy without its original',
  app.options,
  async (t) => {
    const { workspace, page, at } = await opened(t, { 'plan.md': 'One\n' });
    await page.goto(at('/settings/appearance'));
    const css = page.getByRole('textbox', { name: 'Theme CSS' });
    await css.fill('@import url("https://elsewhere.example/a.css");\n.stoa-content p { color: teal; }');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Usage' }).click();
    const leave = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await leave.getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: 'Some rules were left out: see the text as it was kept.' })
      .waitFor();
    assert.doesNotMatch(await css.inputValue(), /import/);
    // Text typed during the save stays.
    const patches = await holdRequests(
      page,
      '**/api/workspaces/*',
      (route) => route.request().method() === 'PATCH',
    );
    const save = page.getByRole('button', { name: 'Save', exact: true });
    const isSaved = save.and(page.locator('[aria-busy="false"]'));
    await save.click();
    await patches.next();
    await css.fill('.stoa-content p { color: navy; }');
    await patches.release();
    await isSaved.waitFor();
    assert.match(await css.inputValue(), /navy/);
    await save.click();
    await isSaved.waitFor();

    // A link from before the secret changed: its address cannot be derived again.
    const made = await workspace.post('shares', { path: 'plan.md', kind: 'file', access: 'public' });
    const share = textAt(recordOf(jsonOf(made).share), 'id');
    await app.service.home.changeRows(`update share set token_hash = 'of before' where id = '${share}'`);
    await goTo(page, at('/f/plan.md'));
    await page.getByRole('banner').getByRole('button', { name: 'Share' }).click();
    const item = page
      .getByRole('dialog', { name: 'Share plan.md' })
      .getByRole('listitem', { name: 'Public link' });
    await item.getByText('The address of this link cannot be shown any more.').waitFor();
    assert.equal(await item.getByRole('textbox').count(), 0);
    await axeClean(page);
    await item.getByRole('button', { name: 'Revoke' }).click();
    const revoke = page.getByRole('alertdialog', { name: 'Revoke this link?' });
    await revoke.getByRole('button', { name: 'Revoke' }).click();
    await item.waitFor({ state: 'detached' });
    // The button is gone: the next control has the focus.
    await focused(page.getByRole('dialog', { name: 'Share plan.md' }).getByRole('button', { name: 'Close' }));
    await page.keyboard.press('Escape');
    // A missing file has no link to share.
    await goTo(page, at('/f/none.md'));
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    await page.getByRole('banner').getByRole('button', { name: 'Share' }).waitFor({ state: 'detached' });

    assertStatus(await workspace.put('plan.md', 'Two\n', { ifMatch: 1 }), 200);
    const copy = textAt(
      jsonOf(await workspace.put('plan.md', 'Three\n', { ifMatch: 1 })),
      'conflict_copy_path',
    );
    assertStatus(await workspace.remove('plan.md', 2), 204);
    await goTo(page, at('/conflicts'));
    const orphan = page
      .getByRole('list', { name: 'Conflicted copies' })
      .getByRole('listitem', { name: copy });
    await orphan.getByText('The original is gone.', { exact: true }).waitFor();
    assert.equal(await orphan.getByRole('button', { name: 'Compare and merge' }).count(), 0);
    await axeClean(page);
    await orphan.getByRole('button', { name: 'Keep both files' }).click();
    const rename = page.getByRole('dialog', { name: /^Rename / });
    assert.equal(await rename.getByLabel('New name').inputValue(), 'plan.md');
    await rename.getByRole('button', { name: 'Rename' }).click();
    await page
      .getByText('No conflicts. When two people change the same lines, both versions wait here.')
      .waitFor();
    await notices(page).getByRole('status').filter({ hasText: 'Renamed to plan.md.' }).waitFor();
    assert.deepEqual(await listedPaths(workspace, ''), ['plan.md']);
  },
);
