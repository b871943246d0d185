import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertStatus } from '../support/expect.ts';
import { signUp } from '../support/people.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { axeClean } from './support/axe-clean.ts';
import { useApp } from './support/use-app.ts';

/** Addresses of missing things: each page has one heading and a link to continue. */
const app = await useApp();
const allowed = { messages: [/status of (?:404|410)/] };

const headings = (page: Page) => page.getByRole('heading', { level: 1 }).allTextContents();

async function atWork() {
  const ada = await signUp(app.client);
  const workspace = await createWorkspace(ada);
  assertStatus(await workspace.put('plan.md', '# Plan\n'), 201);
  assertStatus(await workspace.put('plan.md', '# Plan, again\n', { ifMatch: 1 }), 200);
  return { ada, workspace };
}

test('the page of a missing item has one heading: Not found', app.options, async (t) => {
  const { ada, workspace } = await atWork();
  const page = await app.open(t, { as: ada, allowed });
  const home = `/w/${workspace.id}`;
  for (const address of [
    '/nowhere',
    '/account/nowhere',
    '/w/ws_nothing',
    '/w/ws_nothing/f/plan.md?v=1',
    `${home}/nowhere`,
    `${home}/settings/nowhere`,
    `${home}/d/none`,
    `${home}/f/none.md`,
    `${home}/f/none.md?mode=edit`,
    `${home}/f/none.md?v=1`,
    `${home}/f/none.md?compare=1..2`,
    `${home}/f/none.md?pinned=thread_none`,
  ]) {
    await page.goto(address);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    assert.deepEqual(await headings(page), ['Not found'], address);
    assert.equal(await page.getByRole('heading', { name: 'Not found' }).count(), 1, address);
  }
  await page.goto('/invite/none');
  await page.getByRole('heading', { level: 1, name: 'Invite not available' }).waitFor();
  assert.equal((await headings(page)).length, 1);
});

test('the bar of the file reports a missing earlier version, with the way back', app.options, async (t) => {
  const { ada, workspace } = await atWork();
  const page = await app.open(t, { as: ada, allowed });
  const file = `/w/${workspace.id}/f/plan.md`;
  for (const search of [
    'v=77',
    'v=2-000000000000',
    'v=none',
    'compare=1..77',
    'compare=none',
    'pinned=thread_none',
    'pinned=none&panel=comments',
  ]) {
    await page.goto(`${file}?${search}`);
    const bar = page.getByRole('region', { name: 'Earlier version' });
    await bar.getByText('This version doesn’t exist, or you don’t have access.').waitFor();
    assert.deepEqual(await headings(page), ['plan.md'], search);
    assert.equal(await page.getByRole('heading', { name: 'Not found' }).count(), 0, search);
    await axeClean(page);
    await bar.getByRole('button', { name: 'Back to current' }).click();
    await page.getByRole('heading', { level: 2, name: 'Plan, again' }).waitFor();
    const now = new URL(page.url()).searchParams;
    assert.deepEqual([now.get('v'), now.get('compare'), now.get('pinned')], [null, null, null], search);
  }
});

test('the same bar reports a pinned version that is no longer kept', app.options, async (t) => {
  const { ada, workspace } = await atWork();
  const page = await app.open(t, { as: ada, allowed });
  const gone = { statusCode: 410, message: 'gone', data: { error: 'pinned_content_gone' } };
  await page.route('**/pinned-content', (route) => route.fulfill({ status: 410, json: gone }));
  await page.goto(`/w/${workspace.id}/f/plan.md?pinned=thread_one`);
  const bar = page.getByRole('region', { name: 'Earlier version' });
  await bar.getByText('This version is no longer kept.').waitFor();
  assert.deepEqual(await headings(page), ['plan.md']);
});

test(
  'a listed file with a missing text has one heading, in reading and editing mode',
  app.options,
  async (t) => {
    const { ada, workspace } = await atWork();
    const page = await app.open(t, { as: ada, allowed });
    await page.route('**/files/plan.md*', (route) =>
      route.fulfill({ status: 404, json: { statusCode: 404, message: 'File not found', data: {} } }),
    );
    for (const search of ['', '?mode=edit']) {
      await page.goto(`/w/${workspace.id}/f/plan.md${search}`);
      await page.getByRole('heading', { name: 'Not found' }).waitFor();
      assert.deepEqual(await headings(page), ['plan.md'], search);
    }
  },
);
