import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newDevice } from '../support/device-flow.ts';
import { assertStatus } from '../support/expect.ts';
import { signUp } from '../support/people.ts';
import { jsonOf, recordOf, recordsAt, textAt } from '../support/response.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { axeClean } from './support/axe-clean.ts';
import { descriptionOf } from './support/description-of.ts';
import { goTo } from './support/go-to.ts';
import { holdRequests } from './support/held-requests.ts';
import { focused } from './support/keyboard.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

test(
  'the user compares the code and approves or denies a device, which gets its key once',
  app.options,
  async (t) => {
    const ada = await signUp(app.client, 'Ada Lovelace');
    const home = await createWorkspace(ada);
    const page = await app.open(t, { as: ada });
    const form = page.getByRole('form', { name: 'Link a device' });

    const approved = await newDevice(app.client);
    await page.goto(`/link?code=${approved.userCode}`);
    await page.getByRole('heading', { level: 1, name: 'Link a device' }).waitFor();
    assert.equal(await form.getByLabel('Code').inputValue(), approved.userCode);
    assert.equal((await poll(approved.deviceCode)).status, 'pending');
    await axeClean(page);
    await form.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Approve only if your device shows this code.').waitFor();
    await page.getByText(approved.userCode, { exact: true }).waitFor();
    assert.deepEqual(await page.getByRole('term').allTextContents(), ['Asked from', 'By', 'At']);
    await page.getByLabel('Name of the key').fill('Laptop');
    await page.getByLabel('For', { exact: true }).selectOption('My own computer');
    await axeClean(page);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approved. You can return to your terminal.').waitFor();
    const delivered = await pollUntil(approved.deviceCode);
    assert.equal(textAt(delivered, 'workspace_id'), home.id);
    const device = home.as(app.client.as({ 'x-api-key': textAt(delivered, 'api_key') }));
    assertStatus(await device.query('list'), 200);

    await page.goto(`/link?code=${approved.userCode}`);
    await form.getByRole('button', { name: 'Continue' }).click();
    await form.getByRole('alert').filter({ hasText: 'This code was already used.' }).waitFor();

    // A narrow key has exactly the limits that the page was asked for.
    assertStatus(await home.put('notes/plan.md', '# Plan\n', { ifNoneMatch: '*' }), 201);
    assertStatus(await home.put('other.md', 'Other.\n', { ifNoneMatch: '*' }), 201);
    const narrow = await newDevice(app.client);
    await page.goto(`/link?code=${narrow.userCode}`);
    await form.getByRole('button', { name: 'Continue' }).click();
    await form.getByLabel('Can', { exact: true }).selectOption('Read only');
    await form.getByLabel('Limit to folder').fill('../notes');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page
      .getByRole('alert')
      .getByText('The folder must be a path inside the workspace, such as notes/drafts.')
      .waitFor();
    await form.getByLabel('Limit to folder').fill('notes');
    await form.getByLabel('Expires', { exact: true }).selectOption('After 30 days');
    await axeClean(page);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approved. You can return to your terminal.').waitFor();
    const reader = home.as(
      app.client.as({ 'x-api-key': textAt(await pollUntil(narrow.deviceCode), 'api_key') }),
    );
    assert.deepEqual(
      recordsAt(jsonOf(await reader.query('list')), 'entries').map(({ path }) => path),
      ['notes/plan.md'],
    );
    assertStatus(await reader.put('notes/plan.md', '# Other\n', { ifMatch: 1 }), 403);
    await page.goto('/account/keys');
    const narrowRow = page.getByRole('row').filter({ hasText: 'Only in notes' });
    for (const said of ['Read only', /^Expires /]) await narrowRow.getByText(said).waitFor();

    const denied = await newDevice(app.client);
    await page.goto('/link');
    await form.getByLabel('Code').fill('AAAA-AAAA');
    await form.getByRole('button', { name: 'Continue' }).click();
    await form.getByRole('alert').filter({ hasText: 'Unknown code.' }).waitFor();
    assert.match(await descriptionOf(form.getByLabel('Code')), /Unknown code\./);
    await form.getByLabel('Code').fill(denied.userCode.toLowerCase().replace('-', ' '));
    await form.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('Denied. The device gets no access.').waitFor();
    await page.goto(`/link?code=${denied.userCode}`);
    await form.getByRole('button', { name: 'Continue' }).click();
    await form.getByRole('alert').filter({ hasText: 'This code was denied.' }).waitFor();
  },
);

test('offers a linked folder no rights that it rejects', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada Lovelace');
  const home = await createWorkspace(ada);
  const page = await app.open(t, { as: ada });
  const device = await newDevice(app.client, 'stoa/1.2.3 (laptop; linux)');
  await page.goto(`/link?code=${device.userCode}`);
  const form = page.getByRole('form', { name: 'Link a device' });
  await form.getByRole('button', { name: 'Continue' }).click();
  await form.getByText('A linked folder syncs the whole workspace: its key can read and change').waitFor();
  assert.equal(await form.getByLabel('Can', { exact: true }).count(), 0);
  assert.equal(await form.getByLabel('Limit to folder').count(), 0);
  await form.getByLabel('Expires', { exact: true }).selectOption('After 30 days');
  await axeClean(page);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Approved. You can return to your terminal.').waitFor();
  const apiKey = textAt(await pollUntil(device.deviceCode), 'api_key');
  const folder = home.as(app.client.as({ 'x-api-key': apiKey }));
  assertStatus(await folder.put('plan.md', '# Plan\n', { ifNoneMatch: '*' }), 201);
  await page.goto('/account/keys');
  await page
    .getByRole('row')
    .filter({ hasText: 'service-cli' })
    .getByText(/^Expires /)
    .waitFor();
});

test('approving a device waits for the list of workspaces', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada Lovelace');
  const home = await createWorkspace(ada);
  const page = await app.open(t, { as: ada });
  const device = await newDevice(app.client);
  const lists = await holdRequests(page, '**/api/workspaces', () => true);
  await page.goto(`/link?code=${device.userCode}`);
  await page.getByRole('form', { name: 'Link a device' }).getByRole('button', { name: 'Continue' }).click();
  await lists.next();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('button', { name: 'Approve' }).and(page.locator('[aria-busy="true"]')).waitFor();
  await lists.release();
  await page.getByText('Approved. You can return to your terminal.').waitFor();
  assert.equal(textAt(await pollUntil(device.deviceCode), 'workspace_id'), home.id);
});

test('handles a device that is already approved, and a user without a workspace', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const workspace = await createWorkspace(ada);
  // The console logs requests that a test rejects on purpose.
  const page = await app.open(t, { as: ada, allowed: { messages: [/status of [45]\d\d/] } });
  await createWorkspace(ada, ada.session, 'Second');
  const { userCode: code } = await newDevice(app.client);
  await page.goto(`/link?code=${code}`);
  const form = page.getByRole('form', { name: 'Link a device' });
  await form.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Approve only if your device shows this code.').waitFor();
  // At the same time another tab approves it for another workspace.
  const approval = { userCode: code, workspaceId: workspace.id, name: 'Laptop', actorType: 'human' };
  assertStatus(await ada.session.send('POST', '/api/device/approve', { json: approval }), 200);
  await focused(page.getByText('Approve only if your device shows this code.'));
  await page.getByLabel('Workspace', { exact: true }).selectOption('Second');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page
    .getByRole('alert')
    .filter({ hasText: 'This code was already approved for another workspace.' })
    .waitFor();
  await goTo(page, '/account');
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
  await goTo(page, `/link?code=${code}`);
  await form.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Already approved. The device has not fetched its key yet.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0);
  await axeClean(page);

  const newcomer = await app.open(t, { as: await signUp(app.client, 'Ben') });
  const other = await newDevice(app.client);
  await newcomer.goto(`/link?code=${other.userCode}`);
  await newcomer.getByRole('button', { name: 'Continue' }).click();
  await newcomer.getByRole('link', { name: 'Create a workspace' }).click();
  await newcomer.getByRole('heading', { level: 1, name: 'Create your first workspace' }).waitFor();
});

async function poll(deviceCode: string) {
  return recordOf(jsonOf(await app.client.send('GET', `/api/device/poll?device_code=${deviceCode}`)));
}

/** Polls until approval, no more often than the service allows. */
async function pollUntil(deviceCode: string) {
  for (let tries = 0; tries < 10; tries += 1) {
    const response = await poll(deviceCode);
    if (response.status === 'approved') return response;
    await new Promise((resolve) => setTimeout(resolve, 5100));
  }
  throw new Error('the device did not get its key');
}
