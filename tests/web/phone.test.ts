import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonOf, recordsAt } from '../support/answer.ts';
import { signUp } from '../support/people.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { axeClean } from './support/axe-clean.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

test('on a phone, by touch: a note is made, written, kept and read again', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const workspace = await createWorkspace(ada);
  const page = await app.open(t, { as: ada, screen: 'phone' });
  const fits = async () =>
    assert.ok(
      (await page.evaluate(() => document.documentElement.scrollWidth)) <= 390,
      'it scrolls sideways',
    );
  await page.goto(`/w/${workspace.id}`);
  await page.getByRole('main').getByRole('button', { name: 'New', exact: true }).tap();
  await page.getByRole('menuitem', { name: 'New file' }).tap();
  const dialog = page.getByRole('dialog', { name: 'New file' });
  await dialog.getByLabel('Name').fill('notes/plan.md');
  await fits();
  await dialog.getByRole('button', { name: 'Create' }).tap();

  const editor = page.getByRole('textbox', { name: 'Text of plan.md' });
  await editor.tap();
  await page.keyboard.press('ControlOrMeta+End');
  for (const paragraph of ['The first of them.', 'The second of them.', 'The third of them.']) {
    await page.keyboard.type(`\n${paragraph}\n`);
  }
  await page.getByRole('status', { name: 'Save state' }).and(page.getByText('Not saved yet')).waitFor();
  await page
    .getByRole('status', { name: 'Save state' })
    .and(page.getByText('Saved', { exact: true }))
    .waitFor();
  await fits();
  await axeClean(page);

  await page.reload();
  await editor.getByText('The third of them.').waitFor();
  await page.getByRole('radio', { name: 'Read' }).tap();
  await page.getByRole('article', { name: 'plan.md' }).getByText('The second of them.').waitFor();
  await fits();

  const versions = recordsAt(
    jsonOf(await workspace.query('versions', { path: 'notes/plan.md' })),
    'versions',
  );
  assert.ok(versions.length <= 4, `${versions.length} versions`);
  const changes = await workspace.changes();
  assert.deepEqual(
    changes.filter(({ op }) => op === 'conflict'),
    [],
  );
});
