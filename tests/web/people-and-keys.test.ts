import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { assertStatus } from '../support/expect.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { signUp } from '../support/people.ts';
import { jsonOf, recordOf, recordsAt, textAt } from '../support/response.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { axeClean } from './support/axe-clean.ts';
import { descriptionOf } from './support/description-of.ts';
import { goTo } from './support/go-to.ts';
import { holdRequests } from './support/held-requests.ts';
import { focused, press } from './support/keyboard.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

const namesOf = (table: Locator) =>
  table.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')));

test('owners create and revoke invites, change roles and remove members', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada Lovelace');
  const home = await createWorkspace(ada);
  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${home.id}/settings/members`);
  await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
  const members = page.getByRole('table', { name: 'Members' });
  await members.getByRole('row', { name: 'Ada Lovelace' }).waitFor();

  await page.getByRole('button', { name: 'Create invite link' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create invite link' });
  await dialog.getByLabel('Uses', { exact: true }).fill('none');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'whole number' }).waitFor();
  // The error describes its field.
  assert.match(await descriptionOf(dialog.getByLabel('Uses', { exact: true })), /whole number/);
  await dialog.getByLabel('Uses', { exact: true }).fill('1');
  await dialog.getByLabel('Expires after').selectOption('1 day');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await focused(dialog.getByRole('textbox', { name: 'Invite link' }));
  const link = await dialog.getByRole('textbox', { name: 'Invite link' }).inputValue();
  await dialog.getByText('Copy this link now. You won’t see it again.').waitFor();
  await axeClean(page);
  await dialog.getByRole('button', { name: 'Done', exact: true }).click();
  await page.getByRole('table', { name: 'Invites' }).getByRole('row').nth(1).waitFor();

  // A new user follows the link.
  const bens = await app.open(t, { allowed: { messages: [/status of 40[134]/] } });
  await bens.goto(new URL(link).pathname);
  await bens.getByRole('heading', { level: 1, name: 'Join Workspace' }).waitFor();
  await bens.getByRole('link', { name: 'Sign in to join' }).waitFor();
  await axeClean(bens);
  await bens.getByRole('link', { name: 'Create an account to join' }).click();
  const signUpForm = bens.getByRole('form', { name: 'Create your account' });
  await signUpForm.getByLabel('Name').fill('Ben Brooks');
  await signUpForm.getByLabel('E-mail').fill(`${randomUUID()}@example.org`);
  await signUpForm.getByLabel('Password').fill(`cheap to hash ${randomUUID()}`);
  await signUpForm.getByRole('button', { name: 'Create account' }).click();
  await bens.getByRole('button', { name: 'Join' }).click();
  await bens.waitForURL(`**/w/${home.id}`);
  await bens.goto(`/w/${home.id}/settings/members`);
  await bens.getByRole('row', { name: 'Ada Lovelace' }).waitFor();
  assert.equal(await bens.getByRole('button', { name: 'Create invite link' }).count(), 0);
  assert.equal(await bens.getByRole('combobox', { name: 'Role of Ada Lovelace' }).count(), 0);

  await page.reload();
  await members.getByRole('combobox', { name: 'Role of Ben Brooks' }).selectOption('Admin');
  await page.getByRole('status').filter({ hasText: 'Ben Brooks is now Admin.' }).waitFor();
  const listed = recordsAt(jsonOf(await home.query('members')), 'members');
  assert.equal(listed.find(({ name }) => name === 'Ben Brooks')?.role, 'admin');

  await members.getByRole('button', { name: 'Leave workspace' }).click();
  await page
    .getByRole('alertdialog', { name: 'Leave Workspace?' })
    .getByRole('button', { name: 'Leave' })
    .click();
  // The last owner cannot leave: the server says why.
  await page.getByRole('alert').filter({ hasText: 'owner' }).waitFor();

  await members.getByRole('button', { name: 'Remove Ben Brooks' }).click();
  const question = page.getByRole('alertdialog', { name: 'Remove Ben Brooks?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await members.getByRole('button', { name: 'Remove Ben Brooks' }).click();
  await question.getByRole('button', { name: 'Remove' }).click();
  await members.getByRole('row', { name: 'Ben Brooks' }).waitFor({ state: 'detached' });
  const rejected = await bens.request.get(`/api/workspaces/${home.id}/list`);
  assert.equal(rejected.status(), 403);
  await bens.reload();
  await bens.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();

  const invites = page.getByRole('table', { name: 'Invites' });
  await invites.getByRole('button', { name: 'Revoke' }).click();
  await page
    .getByRole('alertdialog', { name: 'Revoke this invite?' })
    .getByRole('button', { name: 'Revoke' })
    .click();
  await page.getByRole('status').filter({ hasText: 'Invite revoked.' }).waitFor();
  await bens.goto(new URL(link).pathname);
  await bens.getByRole('heading', { level: 1, name: 'Invite not available' }).waitFor();

  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
  const log = page.getByRole('table', { name: 'Audit log' });
  await log.getByRole('row', { name: 'Ada Lovelace removed Ben Brooks' }).waitFor();
  assert.deepEqual(await namesOf(log), [
    'Ada Lovelace revoked an invite link',
    'Ada Lovelace removed Ben Brooks',
    'Ada Lovelace changed the role of Ben Brooks from member to admin',
    'Ben Brooks joined as member',
    'Ben Brooks used an invite link',
    'Ada Lovelace created an invite link',
    'Ada Lovelace created the workspace',
  ]);
  await axeClean(page);
  await page.getByLabel('About').selectOption('Invite links');
  await log.getByRole('row', { name: 'Ada Lovelace removed Ben Brooks' }).waitFor({ state: 'detached' });
  await log.getByRole('row', { name: 'Ada Lovelace created an invite link' }).waitFor();
  const coming = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).click();
  const lines = (await readFile(await (await coming).path(), 'utf8')).trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => textAt(recordOf(JSON.parse(line)), 'action')),
    ['invite.make', 'invite.use', 'invite.revoke'],
  );
  await page.getByLabel('About').selectOption('Keys');
  await page.getByText('No entries match.').waitFor();
});

test('a key gets its limits when it is created, and the list shows them', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada Lovelace');
  const home = await createWorkspace(ada);
  const page = await app.open(t, { as: ada });
  await page.goto('/account/keys');
  await page.getByRole('button', { name: 'Create key' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Name').fill('Reviewer');
  await dialog.getByLabel('Can', { exact: true }).selectOption('Read and comment');
  assert.equal(await dialog.getByLabel('Limit to folder').count(), 0);
  await dialog.getByLabel('Workspace', { exact: true }).selectOption('Workspace');
  await dialog.getByLabel('Limit to folder').fill('../notes');
  await dialog.getByLabel('Expires', { exact: true }).selectOption('After 30 days');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog.getByRole('alert').filter({ hasText: '".." is not allowed' }).waitFor();
  assert.match(await descriptionOf(dialog.getByLabel('Limit to folder')), /is not allowed/);
  await dialog.getByLabel('Limit to folder').fill('notes');
  await axeClean(page);
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  const created = page.getByRole('dialog', { name: 'Key created' });
  const secret = await created.getByRole('textbox', { name: 'API key' }).inputValue();
  await created.getByRole('button', { name: 'Copy configuration' }).click();
  await page.getByRole('status').filter({ hasText: 'Copied.' }).waitFor();
  await created.getByRole('button', { name: 'Done', exact: true }).click();
  const row = page.getByRole('table', { name: 'API keys' }).getByRole('row', { name: 'Reviewer' });
  for (const text of ['Read and comment', 'Only in notes', /^Expires /]) await row.getByText(text).waitFor();
  const reviewer = home.as(app.client.as({ 'x-api-key': secret }));
  assertStatus(await reviewer.put('notes/a.md', '# No\n', { ifNoneMatch: '*' }), 403);
});

test('an agent’s key is shown once, acts under its name, and can be revoked', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada Lovelace');
  const home = await createWorkspace(ada);
  const page = await app.open(t, { as: ada });
  await page.goto('/account/keys');
  await page.getByText('No keys yet. Make one for each agent or program.').waitFor();
  await axeClean(page);
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Name').fill('Claude');
  await dialog.getByRole('radio', { name: 'An AI agent' }).check();
  await dialog.getByLabel('Workspace', { exact: true }).selectOption('Workspace');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();

  const created = page.getByRole('dialog', { name: 'Key created' });
  const secret = await created.getByRole('textbox', { name: 'API key' }).inputValue();
  await axeClean(page);
  await created.getByRole('button', { name: 'Copy key' }).click();
  await page.getByText('Key copied.').waitFor();
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Have you stored the key?' });
  await question.getByRole('button', { name: 'Show it again' }).click();
  for (const program of ['Claude Code', 'Cursor', 'VS Code', 'Claude Desktop', 'curl']) {
    await created.getByRole('tab', { name: program }).click();
    const text = await created.getByRole('textbox', { name: 'Configuration' }).inputValue();
    assert.ok(text.includes(secret) && text.includes(app.url), program);
  }
  await created.getByRole('button', { name: 'Done', exact: true }).click();
  await created.waitFor({ state: 'detached' });

  const agent = home.as(app.client.as({ 'x-api-key': secret }));
  assertStatus(await agent.put('by-agent.md', '# By an agent\n', { ifNoneMatch: '*' }), 201);
  const row = page.getByRole('table', { name: 'API keys' }).getByRole('row', { name: 'Claude' });
  await row.getByText('Agent', { exact: true }).waitFor();
  await goTo(page, `/w/${home.id}/activity`);
  const changes = page.getByRole('list', { name: 'Changes' });
  await changes.getByText('Claude (agent) created by-agent.md').waitFor();
  await axeClean(page);

  await goTo(page, '/account/keys');
  await page.getByRole('button', { name: 'Revoke Claude' }).click();
  await page
    .getByRole('alertdialog', { name: 'Revoke Claude?' })
    .getByRole('button', { name: 'Revoke' })
    .click();
  await page.getByRole('status').filter({ hasText: 'Key revoked.' }).waitFor();
  await page.getByText('No keys yet. Make one for each agent or program.').waitFor();
  assertStatus(await agent.query('list'), 401);
});

test('keys can be created, copied and revoked by keyboard alone', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada Lovelace');
  const page = await app.open(t, { as: ada });
  await page.goto('/account/keys');
  const create = page.getByRole('button', { name: 'Create key' });
  const created = page.getByRole('dialog', { name: 'Key created' });
  const stored = (within: Locator) => within.getByRole('button', { name: 'Done', exact: true });
  const copy = created.getByRole('button', { name: 'Copy key' });
  const beginKey = async (name: string) => {
    await press(page, create);
    await focused(page.getByRole('dialog', { name: 'Create key' }).getByLabel('Name'));
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await press(page, copy);
    await page.getByText('Key copied.').first().waitFor();
    // The row is below the dialog. The button moves once the list has its first key.
    await page.getByRole('row', { name, includeHidden: true }).waitFor();
  };

  await beginKey('Claude');
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Have you stored the key?' });
  await focused(question.getByRole('button', { name: 'Show it again' }));
  await page.keyboard.press('Enter');
  await focused(copy);
  await page.keyboard.press('Escape');
  await press(page, stored(question));
  await created.waitFor({ state: 'detached' });
  // The button of the empty page is gone: the button below the first key gets the focus.
  await focused(create);

  await beginKey('Scribe');
  await press(page, stored(created));
  await focused(create);

  await press(page, page.getByRole('button', { name: 'Revoke Claude' }));
  const revoke = page.getByRole('alertdialog', { name: 'Revoke Claude?' });
  await focused(revoke.getByRole('button', { name: 'Cancel' }));
  await press(page, revoke.getByRole('button', { name: 'Revoke' }));
  await page.getByRole('row', { name: 'Claude' }).waitFor({ state: 'detached' });
  await focused(page.getByRole('button', { name: 'Revoke Scribe' }));
});

test('shows a removed member as a former member everywhere', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada Lovelace');
  const ben = await signUp(app.client, 'Ben Brooks');
  const home = await createWorkspace(ada, ada.session, 'Team');
  const bens = await joinWorkspace(home, ada, ben);
  const quote = {
    kind: 'range',
    path: 'plan.md',
    quote: 'Two.',
    contextBefore: '',
    contextAfter: '',
    occurrence: 1,
    body: 'Really?',
  };
  assertStatus(await bens.put('plan.md', '# Plan\n\nTwo.\n', { ifNoneMatch: '*' }), 201);
  assertStatus(await bens.post('comments', quote), 201);
  assertStatus(await ada.session.send('DELETE', `${home.root}/members/${ben.id}`), 204);

  const page = await app.open(t, { as: ada });
  const members = await holdRequests(page, '**/members', () => true);
  await page.goto(`/w/${home.id}`);
  const plan = page.getByRole('row', { name: 'plan.md' });
  await plan.getByRole('time').waitFor();
  await members.next();
  assert.equal(await plan.getByText('Former member').count(), 0, 'shown before the members are loaded');
  await members.release();
  await plan.getByText('Former member').waitFor();
  await page.goto(`/w/${home.id}/f/plan.md?panel=history`);
  await page.getByRole('listitem', { name: 'Version 1' }).getByText('Former member').waitFor();
  await page.goto(`/w/${home.id}/f/plan.md?panel=comments`);
  await page.getByRole('article', { name: 'Comment on “Two.”' }).getByText('Former member').waitFor();
  await page.goto(`/w/${home.id}/activity`);
  const changes = page.getByRole('list', { name: 'Changes' });
  // Each change is one item of the list, named by its full text.
  await changes.getByRole('listitem', { name: 'Former member created plan.md', exact: true }).waitFor();
  assert.equal(await changes.getByRole('listitem').filter({ hasText: 'created plan.md' }).count(), 1);

  // A member who joins while the page is open has a name.
  const carls = await joinWorkspace(home, ada, await signUp(app.client, 'Carl Cook'));
  assertStatus(await carls.put('new.md', '# New\n', { ifNoneMatch: '*' }), 201);
  await changes.getByRole('listitem', { name: 'Carl Cook created new.md', exact: true }).waitFor();
});
