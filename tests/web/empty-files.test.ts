import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStatus } from '../support/expect.ts';
import { atWork, edit, editor, says, textOf } from './support/at-work.ts';
import { contentOf, notice, openedBy, row } from './support/listed-files.ts';
import { useApp } from './support/use-app.ts';
import { versionTime } from './support/version-time.ts';

/** Files of 0 bytes, which other programs can create. */
const app = await useApp();

test('saves and shows an emptied text, and restores empty and earlier versions', app.options, async (t) => {
  const { ada, workspace } = await atWork(app.client, '# Plan\n');
  const page = await app.open(t, { as: ada });
  await edit(page, workspace);
  await editor(page).press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await page.keyboard.press('ControlOrMeta+S');
  await says(page, 'Saved');
  assert.equal(await textOf(workspace), '');
  await page.goto(`/w/${workspace.id}/f/plan.md?panel=history`);
  await page.getByRole('article', { name: 'plan.md' }).waitFor({ state: 'attached' });
  const versions = page.getByRole('list', { name: 'Versions' });
  await versions.getByRole('button', { name: 'Restore version 1' }).click();
  const restored = async (version: number) =>
    notice(page, `Restored the version from ${await versionTime(page, workspace, 'plan.md', version)}.`);
  const first = await restored(1);
  await first.waitFor();
  // The second notice may have the same text.
  await first.getByRole('button', { name: 'Close' }).click();
  await first.waitFor({ state: 'detached' });
  await versions.getByRole('link', { name: 'Version 3', exact: true }).waitFor();
  assert.equal(await textOf(workspace), '# Plan\n');
  await versions.getByRole('button', { name: 'Restore version 2' }).click();
  await (await restored(2)).waitFor();
  await versions.getByRole('link', { name: 'Version 4', exact: true }).waitFor();
  assert.equal(await textOf(workspace), '');
  await page.goto(`/w/${workspace.id}/f/plan.md?compare=1..2`);
  await page.getByRole('status').filter({ hasText: 'Change 1 of 1' }).waitFor();
});

test('an emptied text can resolve a conflict', app.options, async (t) => {
  const { ada, workspace, agent } = await atWork(app.client, 'One line.\n');
  const page = await app.open(t, {
    as: ada,
    allowed: { messages: [/status of 412|ERR_INTERNET_DISCONNECTED/] },
  });
  await edit(page, workspace);
  await page.context().setOffline(true);
  await editor(page).press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await says(page, 'Offline: kept on this device');
  assertStatus(await agent.put('plan.md', 'Another line.\n', { ifMatch: 1 }), 200);
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Replace with mine' }).click();
  await says(page, 'Saved');
  assert.equal(await textOf(workspace), '');
});

test('saves a merge without any text as an empty file', app.options, async (t) => {
  const { ada, workspace, agent } = await atWork(app.client, 'One\n');
  assertStatus(await agent.put('plan.md', 'Two\n', { ifMatch: 1 }), 200);
  assertStatus(await workspace.put('plan.md', 'Three\n', { ifMatch: 1 }), 412);
  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${workspace.id}/conflicts`);
  await page.getByRole('button', { name: 'Compare and merge' }).click();
  const dialog = page.getByRole('dialog', { name: 'Compare and merge plan.md' });
  await dialog.getByRole('textbox', { name: 'Merged text' }).press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await dialog.getByRole('button', { name: 'Save merged text' }).click();
  await notice(page, 'Merged and saved as version 3.').waitFor();
  assert.equal(await textOf(workspace), '');
});

test('a new file other than Markdown is empty, and its folder is created with it', app.options, async (t) => {
  const { workspace, page } = await openedBy(app, t, {});
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'New file' });
  await dialog.getByRole('textbox').fill('lib/__init__.py');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Text of __init__.py' }).waitFor();
  assert.equal(await contentOf(workspace, 'lib/__init__.py'), '');
  await page.goto(`/w/${workspace.id}`);
  await row(page, 'lib').waitFor();
});
