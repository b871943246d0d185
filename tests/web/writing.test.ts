import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { createKey, signUp } from '../support/people.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

const plan = `# Plan

${Array.from({ length: 40 }, (_, i) => `Line ${i + 1} of the plan.`).join('\n\n')}
`;

/** Ada with a workspace that holds `plan.md`, and an agent that works in it too. */
async function atWork(text = plan) {
  const ada = await signUp(app.client, 'Ada');
  const key = await createKey(ada, { name: 'Claude', actorType: 'agent' });
  const workspace = await createWorkspace(ada);
  const put = await workspace.put('plan.md', text, { contentType: 'text/markdown' });
  assert.equal(put.status, 201);
  return { ada, workspace, agent: workspace.as(key.client) };
}

const textOf = async (workspace: WorkspaceClient, path = 'plan.md') =>
  (await workspace.get(path)).bytes.toString('utf8');

async function agentRewrites(agent: WorkspaceClient, change: (text: string) => string, path = 'plan.md') {
  const file = await agent.get(path);
  const version = Number(file.headers.get('x-service-version')?.[0]);
  const put = await agent.put(path, change(file.bytes.toString('utf8')), {
    ifMatch: version,
    contentType: 'text/markdown',
  });
  assert.equal(put.status, 200);
}

async function copies(workspace: WorkspaceClient): Promise<readonly string[]> {
  const changes = await workspace.changes();
  return changes.filter(({ op }) => op === 'conflict').map(({ path }) => String(path));
}

const editor = (page: Page, name = 'plan.md') => page.getByRole('textbox', { name: `Text of ${name}` });
const saveState = (page: Page) => page.getByRole('status', { name: 'Save state' });
const says = (page: Page, text: string) =>
  saveState(page)
    .and(page.getByText(text, { exact: true }))
    .waitFor();

async function edit(page: Page, workspace: WorkspaceClient, path = 'plan.md') {
  await page.goto(`/w/${workspace.id}/f/${path}?mode=edit`);
  await editor(page, path.split('/').at(-1)).waitFor();
  await says(page, 'Saved');
}

test('what is typed is saved by itself, and stays after a reload', app.options, async (t) => {
  const { ada, workspace } = await atWork('# Plan\n');
  const page = await app.open(t, { as: ada });
  await edit(page, workspace);
  await editor(page).press('ControlOrMeta+End');
  await page.keyboard.type('First words.');
  await says(page, 'Not saved yet');
  await says(page, 'Saved');
  assert.equal(await textOf(workspace), '# Plan\nFirst words.');
  await page.reload();
  await editor(page).getByText('First words.').waitFor();
  assert.deepEqual(await copies(workspace), []);
});

test('an agent changes another line: seen, marked, and not undone by Undo', app.options, async (t) => {
  const { ada, workspace, agent } = await atWork();
  const page = await app.open(t, { as: ada });
  await edit(page, workspace);
  await editor(page).getByText('Line 3 of the plan.').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' Mine.');
  await agentRewrites(agent, (text) => text.replace('Line 8 of the plan.', 'Line 8, by the agent.'));
  await editor(page).getByText('Line 8, by the agent.').waitFor();
  await page.getByRole('status').filter({ hasText: 'Claude (agent) changed this file.' }).waitFor();
  await page.keyboard.type(' More.');
  await says(page, 'Saved');
  const text = await textOf(workspace);
  assert.match(text, /Line 3 of the plan\. Mine\. More\./);
  assert.match(text, /Line 8, by the agent\./);
  await page.keyboard.press('ControlOrMeta+z');
  await page.keyboard.press('ControlOrMeta+s');
  await says(page, 'Saved');
  assert.match(await textOf(workspace), /Line 8, by the agent\./);
  assert.doesNotMatch(await textOf(workspace), /More\./);
  assert.deepEqual(await copies(workspace), []);
});

test(
  'the same words: a conflict, nothing overwritten, and both texts come together by hand',
  app.options,
  async (t) => {
    const { ada, workspace, agent } = await atWork();
    const page = await app.open(t, { as: ada });
    await edit(page, workspace);
    await editor(page).getByText('Line 3 of the plan.').dblclick();
    await page.keyboard.press('Home');
    await page.keyboard.type('Ada: ');
    await agentRewrites(agent, (text) => text.replace('Line 3', 'Agent: Line 3'));
    const bar = page.getByRole('region', { name: 'Conflict' });
    await bar.getByText(/Claude \(agent\) saved version 2 while you were typing\./).waitFor();
    await says(page, 'Conflict: kept on this device');
    assert.deepEqual(await copies(workspace), []);
    await bar.getByRole('button', { name: 'Compare and merge' }).click();
    const dialog = page.getByRole('dialog', { name: 'Compare and merge plan.md' });
    await dialog.getByRole('region', { name: 'Current version' }).getByText('Agent: Line 3').waitFor();
    await dialog.getByRole('status', { name: 'Differences' }).getByText('1 difference left').waitFor();
    await dialog.getByRole('button', { name: 'Take both' }).click();
    await dialog.getByRole('button', { name: 'Save merged text' }).click();
    await page.getByRole('status').filter({ hasText: 'Merged and saved as version 3.' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    const text = await textOf(workspace);
    assert.match(text, /Agent: Line 3/);
    assert.match(text, /Ada: Line 3/);
    assert.deepEqual(await copies(workspace), []);
  },
);

test(
  'a conflict is left: the text lies in a copy, and the bar names it after a reload',
  app.options,
  async (t) => {
    const { ada, workspace, agent } = await atWork();
    // A save that loses its race is answered with 412, which the browser notes.
    const page = await app.open(t, { as: ada, allowed: { messages: [/status of 412/] } });
    await edit(page, workspace);
    await editor(page).getByText('Line 3 of the plan.').click();
    await page.keyboard.press('Home');
    await page.keyboard.type('Ada: ');
    await agentRewrites(agent, (text) => text.replace('Line 3', 'Agent: Line 3'));
    const bar = page.getByRole('region', { name: 'Conflict' });
    await bar.getByText('Your text is kept on this device.').waitFor();
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    await page.getByRole('link', { name: 'Conflicts (1)' }).waitFor();
    const [copy = ''] = await copies(workspace);
    assert.match(await textOf(workspace, copy), /Ada: Line 3/);
    await page.goto(`/w/${workspace.id}/f/plan.md?mode=edit`);
    await bar.getByRole('link', { name: copy }).waitFor();
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

test('Keep both: one copy, listed on the conflicts page, and theirs is shown', app.options, async (t) => {
  const { ada, workspace, agent } = await atWork();
  const page = await app.open(t, { as: ada, allowed: { messages: [/status of 412/] } });
  await edit(page, workspace);
  await editor(page).getByText('Line 3 of the plan.').click();
  await page.keyboard.press('Home');
  await page.keyboard.type('Ada: ');
  await agentRewrites(agent, (text) => text.replace('Line 3', 'Agent: Line 3'));
  const bar = page.getByRole('region', { name: 'Conflict' });
  await bar.getByRole('button', { name: 'Keep both' }).click();
  await editor(page).getByText('Agent: Line 3 of the plan.').waitFor();
  await bar.waitFor({ state: 'detached' });
  const [copy = '', ...others] = await copies(workspace);
  assert.deepEqual(others, []);
  await page.goto(`/w/${workspace.id}/conflicts`);
  const item = page.getByRole('list', { name: 'Conflicted copies' }).getByRole('listitem', { name: copy });
  await item.getByRole('button', { name: 'Delete copy' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete copy' }).click();
  await page.getByText('No conflicts. Both texts would be kept, and listed here.').waitFor();
});

test(
  'the page is killed before it saved: the text is back, merged with what the agent saved',
  app.options,
  async (t) => {
    const { ada, workspace, agent } = await atWork();
    const page = await app.open(t, { as: ada, allowed: { messages: [/./] } });
    await edit(page, workspace);
    const files = `**/api/workspaces/${workspace.id}/files/**`;
    // Nothing reaches the server any more: only the device has the text.
    await page.route(files, (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await editor(page).getByText('Line 3 of the plan.').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' Typed before the crash.');
    await page.waitForFunction(
      async () =>
        await new Promise<boolean>((resolve) => {
          const request = indexedDB.open('stoa-drafts');
          request.onsuccess = () => {
            const all = request.result.transaction('drafts').objectStore('drafts').getAll();
            all.onsuccess = () => {
              request.result.close();
              resolve(all.result.some(({ text }: { text: string }) => text.includes('before the crash.')));
            };
          };
        }),
    );
    const context = page.context();
    await page.close();
    await agentRewrites(agent, (text) => text.replace('Line 8 of', 'Line 8, by the agent, of'));
    const again = await context.newPage();
    await edit(again, workspace);
    await again
      .getByRole('status')
      .filter({ hasText: /Unsaved changes from .* are back\./ })
      .waitFor();
    await says(again, 'Saved');
    const text = await textOf(workspace);
    assert.match(text, /Typed before the crash\./);
    assert.match(text, /Line 8, by the agent/);
    assert.deepEqual(await copies(workspace), []);
  },
);

test('offline, words, another page and back, online: saved once', app.options, async (t) => {
  const { ada, workspace } = await atWork('# Plan\n');
  const page = await app.open(t, { as: ada, allowed: { messages: [/./] } });
  await edit(page, workspace);
  await page.context().setOffline(true);
  await editor(page).press('ControlOrMeta+End');
  await page.keyboard.type(Array.from({ length: 50 }, (_, i) => `word${i}`).join(' '));
  await says(page, 'Offline: kept on this device');
  await page.context().setOffline(false);
  await says(page, 'Saved');
  const text = await textOf(workspace);
  assert.match(text, /word0 .* word49$/);
  assert.ok((await workspace.changes()).filter(({ op }) => op === 'write').length <= 3);
  assert.deepEqual(await copies(workspace), []);
});

test('deleted under unsaved text: said, and saved again only when asked', app.options, async (t) => {
  const { ada, workspace, agent } = await atWork();
  const page = await app.open(t, { as: ada });
  await edit(page, workspace);
  await editor(page).getByText('Line 3 of the plan.').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' Mine.');
  await agent.remove('plan.md', 1);
  const bar = page.getByRole('region', { name: 'Conflict' });
  await bar.getByText('Claude (agent) deleted this file.').waitFor();
  await bar.getByRole('button', { name: 'Save it again' }).click();
  await says(page, 'Saved');
  assert.match(await textOf(workspace), /Line 3 of the plan\. Mine\./);
});

test('the real editor changes the typed character and no other byte', app.options, async (t) => {
  const { ada, workspace } = await atWork();
  const page = await app.open(t, { as: ada });
  const files = [
    ['crlf.md', 'one\r\ntwo\r\n'],
    ['bom.md', '\uFEFFone\r\ntwo'],
    ['mixed.txt', 'one\rtwo\r\nthree\n\tfour  \n'],
    ['signs.md', 'e\u0301 🙂 שלום \u200b\u2028 end\n'],
  ] as const;
  for (const [path, text] of files) {
    assert.equal((await workspace.put(path, text, { contentType: 'text/markdown' })).status, 201);
    await edit(page, workspace, path);
    await editor(page, path).press('ControlOrMeta+Home');
    await page.keyboard.type('x');
    await page.keyboard.press('ControlOrMeta+s');
    await says(page, 'Saved');
    const at = text.startsWith('\uFEFF') ? 1 : 0;
    assert.deepEqual(
      Buffer.from(await textOf(workspace, path)),
      Buffer.from(`${text.slice(0, at)}x${text.slice(at)}`),
      path,
    );
  }
});
