import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { assertStatus } from '../support/expect.ts';
import {
  agentRewrites,
  atWork,
  copies,
  edit,
  editor,
  says,
  textOf,
  typeInLine,
  untilDraftHas,
} from './support/at-work.ts';
import { holdRequests, isPut } from './support/held-requests.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();
/** The console reports faults that a test causes on purpose. */
const allowed = { messages: [/./] };

for (const theirs of ['elsewhere', 'in the same words'] as const) {
  test(`W6: the page is killed before it saved, and the agent wrote ${theirs}`, app.options, async (t) => {
    const { ada, workspace, agent } = await atWork(app.client);
    const page = await app.open(t, { as: ada, allowed });
    await edit(page, workspace);
    // No write reaches the server any more: only the device has the text.
    await page.route('**/files/plan.md*', (route) => (isPut(route) ? route.abort() : route.continue()));
    await typeInLine(page, 'Line 3 of the plan.', 'Typed before the crash. ', 'Home');
    await untilDraftHas(page, 'before the crash.');
    const context = page.context();
    await keepStorage(context, `/w/${workspace.id}`);
    await killPage(page);
    const line = theirs === 'elsewhere' ? 'Line 8 of' : 'Line 3 of';
    await agentRewrites(agent, (text) => text.replace(line, `By the agent: ${line}`));
    const again = await context.newPage();
    await again.goto(`/w/${workspace.id}/f/plan.md?mode=edit`);
    await editor(again).getByText('Typed before the crash.').waitFor();
    if (theirs === 'elsewhere') {
      await again
        .getByRole('status')
        .filter({ hasText: /We kept your unsaved changes from .*\./ })
        .waitFor();
      await says(again, 'Saved');
      assert.match(await textOf(workspace), /Typed before the crash\./);
      // The text is saved already. Discarding removes the user's text and keeps both changes of the agent.
      await agentRewrites(agent, (text) => text.replace('Line 2 of', 'Once more by the agent: Line 2 of'));
      await editor(again).getByText('Once more by the agent').waitFor();
      await again.getByRole('button', { name: 'Discard them' }).click();
      await editor(again).getByText('Typed before the crash.').waitFor({ state: 'detached' });
      await again.keyboard.press('ControlOrMeta+S');
      await says(again, 'Saved');
      assert.doesNotMatch(await textOf(workspace), /crash/);
      assert.match(await textOf(workspace), /Once more by the agent: Line 2 of the plan\./);
    } else {
      const bar = again.getByRole('region', { name: 'Conflict' });
      await bar.getByText(/Claude \(agent\) saved version 2 while you were typing\./).waitFor();
      await bar.getByText('Your text is kept on this device.').waitFor();
      await says(again, 'Conflict. Your text is safe on this device.');
      assert.doesNotMatch(await textOf(workspace), /crash/);
    }
    assert.match(await textOf(workspace), /By the agent: Line [38] of the plan\./);
    assert.deepEqual(await copies(workspace), []);
  });
}

test('only one of two tabs restores the kept draft of a file', app.options, async (t) => {
  const { ada, workspace, agent } = await atWork(app.client);
  const page = await app.open(t, { as: ada, allowed });
  await edit(page, workspace);
  await page.route('**/files/plan.md*', (route) => (isPut(route) ? route.abort() : route.continue()));
  await typeInLine(page, 'Line 3 of the plan.', 'Typed before the crash. ', 'Home');
  await untilDraftHas(page, 'before the crash.');
  const context = page.context();
  await keepStorage(context, `/w/${workspace.id}`);
  await killPage(page);
  // Restoring needs the base version of the draft. The first tab waits for it when the second tab opens.
  await agentRewrites(agent, (text) => text.replace('Line 8 of', 'By the agent: Line 8 of'));
  const [first, second] = [await context.newPage(), await context.newPage()];
  const asked = await holdRequests(first, '**/versions?*', () => true);
  await first.goto(`/w/${workspace.id}/f/plan.md?mode=edit`);
  await asked.next();
  await second.goto(`/w/${workspace.id}/f/plan.md?mode=edit`);
  await editor(second).getByText('By the agent: Line 8 of the plan.').waitFor();
  assert.equal(await editor(second).getByText('Typed before the crash.').count(), 0);
  await asked.release();
  // The second tab gets the text from the server, like any other change.
  await editor(second).getByText('Typed before the crash.').waitFor();
  await editor(first).getByText('Typed before the crash.').waitFor();
  assert.match(await textOf(workspace), /Typed before the crash\. Line 3 of the plan\./);
  assert.deepEqual(await copies(workspace), []);
});

test('the notice about a restored draft stays until the user saves', app.options, async (t) => {
  const { ada, workspace } = await atWork(app.client, '# Plan\n');
  const page = await app.open(t, { as: ada, allowed });
  await edit(page, workspace);
  await page.route('**/files/plan.md*', (route) => (isPut(route) ? route.abort() : route.continue()));
  await editor(page).press('ControlOrMeta+End');
  await page.keyboard.type('The last word.');
  await untilDraftHas(page, 'The last word.');
  await keepStorage(page.context(), `/w/${workspace.id}`);
  await killPage(page);
  const again = await page.context().newPage();
  await again.goto(`/w/${workspace.id}/f/plan.md?mode=edit`);
  const isBack = again.getByRole('status').filter({ hasText: /We kept your unsaved changes from .*\./ });
  await isBack.waitFor();
  // After an automatic save the user can still discard the text.
  await says(again, 'Saved');
  assert.equal(await isBack.count(), 1);
  await editor(again).press('ControlOrMeta+S');
  await isBack.waitFor({ state: 'detached' });
  assert.equal(await textOf(workspace), '# Plan\nThe last word.');
});

test('saves typed text when the user leaves for another site at once', app.options, async (t) => {
  const { ada, workspace } = await atWork(app.client, '# Plan\n');
  const page = await app.open(t, { as: ada, allowed });
  await edit(page, workspace);
  await editor(page).press('ControlOrMeta+End');
  await page.keyboard.type('The last word.');
  await untilDraftHas(page, 'The last word.');
  await page.evaluate(() => {
    // A page that unloads runs no further task, so nothing asynchronous may precede the request.
    SubtleCrypto.prototype.digest = () => new Promise(() => undefined);
    // As a click on the address bar does.
    dispatchEvent(new Event('blur'));
    location.assign('about:blank');
  });
  for (let looks = 0; looks < 300 && !(await textOf(workspace)).includes('last word'); looks += 1)
    await pause(100);
  assert.equal(await textOf(workspace), '# Plan\nThe last word.');
  // Chromium never closes a context while one of its pages navigates away.
  await page.waitForURL('about:blank');
});

test('W7: offline, 200 words, another page and back, online: saved once', app.options, async (t) => {
  const { ada, workspace } = await atWork(app.client, '# Plan\n');
  assertStatus(await workspace.put('other.md', 'Another page.\n'), 201);
  const page = await app.open(t, { as: ada, allowed });
  // Reading continues offline with the pages loaded before.
  await page.goto(`/w/${workspace.id}/f/plan.md`);
  await page.getByRole('article', { name: 'plan.md' }).getByRole('heading', { name: 'Plan' }).waitFor();
  await page.getByRole('radio', { name: 'Edit' }).click();
  await says(page, 'Saved');
  const writes = async () => (await workspace.changes()).filter(({ op }) => op === 'write').length;
  const before = await writes();
  await page.context().setOffline(true);
  const words = Array.from({ length: 200 }, (_, i) => `word${i}`).join(' ');
  await editor(page).press('ControlOrMeta+End');
  // A word at a time: 1,500 keys take a busy machine longer than the test has.
  for (const word of words.split(/(?= )/)) await page.keyboard.insertText(word);
  await says(page, 'Offline: kept on this device');
  await page.getByRole('treeitem', { name: 'other.md' }).click();
  await page.getByRole('heading', { level: 1, name: 'other.md' }).waitFor();
  // A page that cannot be loaded says so within its frame. The frame still shows the lost connection.
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'This page could not be loaded.' }).waitFor();
  assert.equal(await page.getByRole('status', { name: 'Connection' }).count(), 1);
  assert.equal(await page.getByRole('main').count(), 1);
  await page.getByRole('link', { name: '1 file not saved' }).click();
  await page.getByRole('heading', { level: 1, name: 'plan.md' }).waitFor();
  await page.getByRole('article', { name: 'plan.md' }).getByText('word199').waitFor();
  await page.context().setOffline(false);
  await says(page, 'Saved');
  assert.equal(await textOf(workspace), `# Plan\n${words}`);
  assert.equal((await writes()) - before, 1);
  assert.deepEqual(await copies(workspace), []);
});

test('saves unsaved text of a deleted file again only on request', app.options, async (t) => {
  const { ada, workspace, agent } = await atWork(app.client);
  const page = await app.open(t, { as: ada });
  await edit(page, workspace);
  // Slow typing must not save the text before the file is deleted.
  const put = '**/files/plan.md*';
  await page.route(put, (route) => (isPut(route) ? route.abort() : route.continue()));
  await editor(page).getByText('Line 3 of the plan.').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' Mine.');
  assertStatus(await agent.remove('plan.md', 1), 204);
  const bar = page.getByRole('region', { name: 'Conflict' });
  await bar.getByText('Claude (agent) deleted this file.').waitFor();
  await page.unroute(put);
  await bar.getByRole('button', { name: 'Save it again' }).click();
  await says(page, 'Saved');
  assert.match(await textOf(workspace), /Line 3 of the plan\. Mine\./);

  // A reading page also follows a move, and offers to restore a deleted file.
  await page.goto(`/w/${workspace.id}/f/plan.md`);
  await page.getByRole('article', { name: 'plan.md' }).getByText('Line 3 of the plan. Mine.').waitFor();
  assertStatus(await agent.post('move', { from: 'plan.md', to: 'notes/the plan.md', baseVersion: 1 }), 200);
  await page
    .getByRole('status')
    .filter({ hasText: 'plan.md was moved to notes/the plan.md by Claude (agent).' })
    .waitFor();
  const moved = page.getByRole('article', { name: 'the plan.md' });
  await moved.getByText('Line 3 of the plan. Mine.').waitFor();
  assert.equal(new URL(page.url()).pathname, `/w/${workspace.id}/f/notes/the%20plan.md`);
  assertStatus(await agent.remove('notes/the plan.md', 1), 204);
  await bar.getByRole('alert').filter({ hasText: 'Claude (agent) deleted this file.' }).waitFor();
  await page.getByRole('heading', { level: 1, name: 'the plan.md' }).waitFor();
  await bar.getByRole('button', { name: 'Restore the plan.md' }).click();
  await page.getByRole('status').filter({ hasText: 'Restored the plan.md.' }).waitFor();
  await moved.getByText('Line 3 of the plan. Mine.').waitFor();
});

/**
 * Keeps the drafts when a page dies, as on a device. A test's browser stores them in memory and drops them
 * with the last page that has the database open.
 */
async function keepStorage(context: BrowserContext, address: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(address);
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('stoa-drafts');
        opening.onsuccess = () => {
          Object.assign(window, { keptOpen: opening.result });
          resolve();
        };
      }),
  );
}

/** Crashes the page, so that none of its handlers for closing run. */
async function killPage(page: Page): Promise<void> {
  const killed = page.waitForEvent('crash');
  const browser = await page.context().newCDPSession(page);
  // A crashed page sends no response.
  void browser.send('Page.crash').catch(() => {});
  await killed;
}
