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
