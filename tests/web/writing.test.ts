import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  agentRewrites,
  atWork,
  copies,
  edit,
  editor,
  plan,
  says,
  textOf,
  typeInLine,
  untilDraftNames,
} from './support/at-work.ts';
import { holdRequests, holdResponses, isPut } from './support/held-requests.ts';
import { focused } from './support/keyboard.ts';
import { standStill } from './support/stand-still.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();
/** More than half a minute of looks that find no change. */
const looksMax = 1500;

test('saves typed text automatically and shows it after a reload', app.options, async (t) => {
  const { ada, workspace } = await atWork(app.client, '# Plan\n');
  const page = await app.open(t, { as: ada });
  await edit(page, workspace);
  await editor(page).press('ControlOrMeta+End');
  const notYet = says(page, 'Unsaved');
  await page.keyboard.type('First words.');
  await notYet;
  await says(page, 'Saved');
  assert.equal(await textOf(workspace), '# Plan\nFirst words.');
  await page.reload();
  await editor(page).getByText('First words.').waitFor();
  // The tab closes right after the last word, which is still saved.
  await editor(page).press('ControlOrMeta+End');
  page.on('dialog', (question) => void question.accept());
  await page.keyboard.insertText(' Last words.');
  await page.close({ runBeforeUnload: true });
  for (let looks = 0; looks < 600 && !(await textOf(workspace)).endsWith(' Last words.'); looks += 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(await textOf(workspace), '# Plan\nFirst words. Last words.');
  assert.deepEqual(await copies(workspace), []);
});

for (const screen of ['desk', 'phone'] as const) {
  const title = `W2: saves a minute of typing on a ${screen} without a copy while every response is late`;
  test(title, app.options, async (t) => {
    const { ada, workspace } = await atWork(app.client, '# Plan\n');
    const page = await app.open(t, { as: ada, screen });
    await page.clock.install();
    const responses = await holdResponses(page, '**/files/plan.md*', isPut);
    await edit(page, workspace);
    // The minute runs on the page's clock: the real time of the keys does not count.
    await standStill(page);
    if (screen === 'phone') await editor(page).tap();
    await editor(page).press('ControlOrMeta+End');
    const words = Array.from({ length: 200 }, (_, i) => `w${i} `);
    responses.hold();
    for (const word of words) {
      await page.keyboard.type(word);
      // The pending request gets its response 300 ms later.
      const late = responses.take();
      await page.clock.runFor(300);
      late();
    }
    responses.release();
    await page.clock.resume();
    await page.keyboard.press('ControlOrMeta+s');
    await says(page, 'Saved');
    assert.equal(await textOf(workspace), `# Plan\n${words.join('')}`);
    assert.deepEqual(await copies(workspace), []);
    const writes = (await workspace.changes()).filter(({ op }) => op === 'write').length;
    assert.ok(writes >= 5 && writes <= 15, `${writes} versions in a minute`);
  });
}

test(
  'W4: shows and marks an agent’s change to another line for five seconds; Undo keeps it',
  app.options,
  async (t) => {
    const { ada, workspace, agent } = await atWork(app.client);
    // High enough to draw both lines.
    const page = await app.open(t, { as: ada, options: { viewport: { width: 1280, height: 2600 } } });
    await page.clock.install();
    await edit(page, workspace);
    await typeInLine(page, 'Line 3 of the plan.', ' Mine.');
    await page.clock.pauseAt(Date.now() + 60_000);
    await says(page, 'Saved');
    await page.keyboard.type(' Still typing.');
    await agentRewrites(agent, (text) => text.replace('Line 40 of the plan.', 'Line 40, by the agent.'));
    const mark = editor(page).getByTitle('Claude (agent)');
    // The server decides when the feed reports it, whatever the page's clock says.
    for (let looks = 0; looks < looksMax && (await mark.count()) === 0; looks += 1) {
      await page.clock.runFor(100);
      await pause(20);
    }
    assert.match((await mark.allInnerTexts()).join(), /by.*agent/);
    await page.getByRole('status').filter({ hasText: 'Claude (agent) changed this file.' }).waitFor();
    await page.clock.runFor(4850);
    assert.notEqual(await mark.count(), 0);
    await page.clock.runFor(200);
    assert.equal(await mark.count(), 0);
    await page.clock.resume();
    // The caret is where it was.
    await page.keyboard.type(' More.');
    await page.keyboard.press('ControlOrMeta+s');
    await says(page, 'Saved');
    const text = await textOf(workspace);
    assert.match(text, /Line 3 of the plan\. Mine\. Still typing\. More\./);
    assert.match(text, /Line 40, by the agent\./);
    await page.keyboard.press('ControlOrMeta+z');
    await page.keyboard.press('ControlOrMeta+s');
    await editor(page).getByText('More.').waitFor({ state: 'detached' });
    await says(page, 'Saved');
    assert.match(await textOf(workspace), /Line 40, by the agent\./);
    assert.doesNotMatch(await textOf(workspace), /More\./);
    assert.deepEqual(await copies(workspace), []);
  },
);

test('changes by others in reading mode leave caret and undo history alone', app.options, async (t) => {
  const { ada, workspace, agent } = await atWork(app.client);
  const page = await app.open(t, { as: ada });
  await edit(page, workspace);
  await typeInLine(page, 'Line 3 of the plan.', ' Mine.');
  await page.keyboard.press('ControlOrMeta+s');
  await says(page, 'Saved');
  await page.keyboard.press('Escape');
  const article = page.getByRole('article', { name: 'plan.md' });
  await article.getByText('Line 3 of the plan. Mine.').waitFor();
  const byAgent = (text: string) =>
    text.replace('Line 1 of', 'By the agent: Line 1 of').replace('Line 9 of', 'By the agent: Line 9 of');
  await agentRewrites(agent, byAgent);
  await article.getByText('By the agent: Line 9 of the plan.').waitFor();
  await page.keyboard.press('e');
  await focused(editor(page));
  await page.keyboard.type(' More.');
  await editor(page).getByText('Line 3 of the plan. Mine. More.').waitFor();
  // With slow keys, each Undo removes one letter. Undo removes nothing else.
  for (let letters = 0; letters < ' Mine. More.'.length; letters += 1)
    await page.keyboard.press('ControlOrMeta+z');
  await editor(page).getByText('Line 3 of the plan.', { exact: true }).waitFor();
  await page.keyboard.press('ControlOrMeta+s');
  await says(page, 'Saved');
  assert.equal(await textOf(workspace), byAgent(plan));
});

test(
  'a change to the same words makes a conflict, overwrites nothing and can be merged by hand',
  app.options,
  async (t) => {
    const { ada, workspace, agent } = await atWork(app.client);
    const page = await app.open(t, { as: ada });
    await edit(page, workspace);
    const puts = await holdRequests(page, '**/files/plan.md*', isPut);
    await editor(page).getByText('Line 3 of the plan.').dblclick();
    await page.keyboard.press('Home');
    await page.keyboard.type('Ada: ');
    await agentRewrites(agent, (text) => text.replace('Line 3', 'Agent: Line 3'));
    await puts.release();
    const bar = page.getByRole('region', { name: 'Conflict' });
    await bar.getByText(/Claude \(agent\) saved version 2 while you were typing\./).waitFor();
    await says(page, 'Conflict. Your text is safe on this device.');
    assert.deepEqual(await copies(workspace), []);
    await bar.getByRole('button', { name: 'Compare and merge' }).click();
    const dialog = page.getByRole('dialog', { name: 'Compare and merge plan.md' });
    const current = dialog.getByRole('region', { name: 'Current version' });
    await current.getByText('Agent: Line 3').waitFor();
    await current.getByText('Version 2 by Claude (agent)').waitFor();
    await current.getByRole('time').waitFor();
    await dialog.getByRole('status', { name: 'Differences' }).getByText('1 difference left').waitFor();
    const merged = dialog.getByRole('textbox', { name: 'Merged text' });
    // From outside the text, and from either end of it.
    const locations = { F7: 'ControlOrMeta+Home', 'Shift+F7': 'ControlOrMeta+End' };
    for (const [key, away] of Object.entries(locations)) {
      await merged.press(away);
      await dialog.getByRole('button', { name: 'Cancel' }).focus();
      await page.keyboard.press(key);
      await focused(merged);
      // The editor may draw the caret's line a moment after it gets the focus.
      await page.waitForFunction(() => {
        const { anchorNode = null } = getSelection() ?? {};
        const at = anchorNode instanceof Element ? anchorNode : anchorNode?.parentElement;
        return at?.closest('.cm-line')?.textContent.startsWith('Ada: Line 3 ') === true;
      });
    }
    await dialog.getByRole('button', { name: 'Take both' }).click();
    // Escape and Cancel close the dialog. It keeps the merged text for the next time.
    await page.keyboard.type('Decided. ');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await bar.getByRole('button', { name: 'Compare and merge' }).click();
    await merged.getByText('Decided.').waitFor();
    await dialog.getByRole('status', { name: 'Differences' }).getByText('0 differences left').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await bar.getByRole('button', { name: 'Compare and merge' }).click();
    await merged.getByText('Decided.').waitFor();
    await dialog.getByRole('button', { name: 'Save merged text' }).click();
    await page.getByRole('status').filter({ hasText: 'Merged and saved as version 3.' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    const text = await textOf(workspace);
    assert.match(text, /Agent: Line 3/);
    assert.match(text, /Ada: Line 3/);
    assert.match(text, /Decided\./);
    assert.deepEqual(await copies(workspace), []);
  },
);

test(
  'leaving a conflict keeps the text in a copy, and the bar names it after a reload',
  app.options,
  async (t) => {
    const { ada, workspace, agent } = await atWork(app.client);
    // A save that loses its race gets a 412, which the browser logs.
    const page = await app.open(t, { as: ada, allowed: { messages: [/status of 412/] } });
    await edit(page, workspace);
    const puts = await holdRequests(page, '**/files/plan.md*', isPut);
    await editor(page).getByText('Line 3 of the plan.').click();
    await page.keyboard.press('Home');
    await page.keyboard.type('Ada: ');
    await agentRewrites(agent, (text) => text.replace('Line 3', 'Agent: Line 3'));
    await puts.release();
    const bar = page.getByRole('region', { name: 'Conflict' });
    await bar.getByText('Your text is kept on this device.').waitFor();
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    await page.getByRole('link', { name: 'Conflicts (1)' }).waitFor();
    const [copy = ''] = await copies(workspace);
    assert.match(await textOf(workspace, copy), /Ada: Line 3/);
    await untilDraftNames(page, copy);
    await page.goto(`/w/${workspace.id}/f/plan.md?mode=edit`);
    await bar
      .getByRole('alert')
      .filter({ hasText: `Your text is safe in ${copy}` })
      .waitFor();
    await bar.getByRole('link', { name: copy }).waitFor();
    assert.equal(
      await page.getByRole('treeitem', { name: copy }).getAttribute('aria-description'),
      'Conflicted copy',
    );
    await bar.getByRole('button', { name: 'Replace with mine' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete the conflicted copy?' });
    await question.getByRole('button', { name: 'Delete copy' }).click();
    await page.getByRole('status').filter({ hasText: 'Replaced with your text (version 3).' }).waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: `${copy} deleted.` })
      .waitFor();
    assert.match(await textOf(workspace), /Ada: Line 3/);
    assert.equal((await copies(workspace)).length, 1);
  },
);

test('Keep both makes one copy, lists it as a conflict and shows the other text', app.options, async (t) => {
  const { ada, workspace, agent } = await atWork(app.client);
  const page = await app.open(t, { as: ada, allowed: { messages: [/status of 412/] } });
  await edit(page, workspace);
  const puts = await holdRequests(page, '**/files/plan.md*', isPut);
  await editor(page).getByText('Line 3 of the plan.').click();
  await page.keyboard.press('Home');
  await page.keyboard.type('Ada: ');
  await agentRewrites(agent, (text) =>
    text.replace('Line 3', 'Agent: Line 3').replace('Line 20 ', 'Agent: Line 20 '),
  );
  await puts.release();
  const bar = page.getByRole('region', { name: 'Conflict' });
  await bar.getByRole('button', { name: 'Keep both' }).click();
  await editor(page).getByText('Agent: Line 3 of the plan.').waitFor();
  await bar.waitFor({ state: 'detached' });
  const [copy = '', ...others] = await copies(workspace);
  assert.deepEqual(others, []);
  await page
    .getByRole('status')
    .filter({ hasText: `Your text is kept as ${copy}.` })
    .waitFor();
  await page.goto(`/w/${workspace.id}/conflicts`);
  const item = page.getByRole('list', { name: 'Conflicted copies' }).getByRole('listitem', { name: copy });
  // Overlapping changes need a person: until then the app changes nothing.
  await item.getByRole('button', { name: 'Merge automatically' }).click();
  const dialog = page.getByRole('dialog', { name: 'Compare and merge plan.md' });
  // The merged text already has the other changes of the agent, because the copy knows its base version.
  await dialog
    .getByRole('status', { name: 'Differences' })
    .filter({ hasText: '1 difference left' })
    .waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await item.getByRole('button', { name: 'Delete copy' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete copy' }).click();
  await page
    .getByText('No conflicts. When two people change the same lines, both versions wait here.')
    .waitFor();
});

test('merges a copy without overlaps into its file with one request', app.options, async (t) => {
  const { ada, workspace, agent } = await atWork(app.client);
  const text = await textOf(workspace);
  await agentRewrites(agent, (before) => before.replace('Line 3 ', 'Agent: Line 3 '));
  const stale = await workspace.put('plan.md', text.replace('Line 30 ', 'Ada: Line 30 '), { ifMatch: 1 });
  assert.equal(stale.status, 412);
  const [copy = ''] = await copies(workspace);
  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${workspace.id}/conflicts`);
  const item = page.getByRole('list', { name: 'Conflicted copies' }).getByRole('listitem', { name: copy });
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') requests.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  await item.getByRole('button', { name: 'Merge automatically' }).click();
  await page.getByRole('status').filter({ hasText: 'Merged and saved as version 3.' }).waitFor();
  await page
    .getByText('No conflicts. When two people change the same lines, both versions wait here.')
    .waitFor();
  assert.deepEqual(requests, [`POST /api/workspaces/${workspace.id}/resolve-conflict`]);
  const both = text.replace('Line 3 ', 'Agent: Line 3 ').replace('Line 30 ', 'Ada: Line 30 ');
  assert.equal(await textOf(workspace), both);
  await page.getByRole('button', { name: `Restore ${copy}` }).click();
  await item.waitFor();
});

test(
  'W5: with a late feed, only leaving makes a copy of the losing text, and both texts can be merged',
  app.options,
  async (t) => {
    const { ada, workspace, agent } = await atWork(app.client);
    const page = await app.open(t, { as: ada, allowed: { messages: [/status of 412/] } });
    const feed = await holdResponses(page, '**/changes?*', () => true);
    await edit(page, workspace);
    feed.hold();
    const puts = await holdRequests(page, '**/files/plan.md*', isPut);
    await typeInLine(page, 'Line 3 of the plan.', 'Ada: ', 'Home');
    await agentRewrites(agent, (text) => text.replace('Line 3', 'Agent: Line 3'));
    const rejected = page.waitForResponse((response) => response.status() === 412);
    await puts.release();
    await page.keyboard.press('ControlOrMeta+s');
    assert.match((await rejected).url(), /conflict=refuse/);
    const bar = page.getByRole('region', { name: 'Conflict' });
    await bar.getByText(/Claude \(agent\) saved version 2 while you were typing\./).waitFor();
    await bar.getByText('Your text is kept on this device.').waitFor();
    assert.deepEqual(await copies(workspace), []);

    const kept = page.waitForResponse((response) => response.status() === 412);
    await page.getByRole('link', { name: 'Activity' }).click();
    assert.doesNotMatch((await kept).url(), /conflict=refuse/);
    const [copy = '', ...others] = await copies(workspace);
    assert.deepEqual(others, []);
    assert.match(await textOf(workspace, copy), /Ada: Line 3/);
    await untilDraftNames(page, copy);
    feed.release();
    await page.goto(`/w/${workspace.id}/f/plan.md?mode=edit`);
    await bar.getByRole('link', { name: copy }).waitFor();
    await bar.getByRole('button', { name: 'Compare and merge' }).click();
    const dialog = page.getByRole('dialog', { name: 'Compare and merge plan.md' });
    await dialog.getByRole('button', { name: 'Take both' }).click();
    await dialog.getByRole('button', { name: 'Save merged text' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete the conflicted copy?' });
    await question.getByRole('button', { name: 'Keep it' }).click();
    await says(page, 'Saved');
    const text = await textOf(workspace);
    assert.match(text, /Agent: Line 3/);
    assert.match(text, /Ada: Line 3/);
    assert.equal((await workspace.get(copy)).status, 200);
    assert.equal((await copies(workspace)).length, 1);
  },
);
