import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStatus } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf, recordsAt } from '../support/response.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { axeClean } from './support/axe-clean.ts';
import { useApp } from './support/use-app.ts';
import { versionTime } from './support/version-time.ts';

const app = await useApp();

test('reads, compares and restores versions across a move and an undone delete', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada Lovelace');
  const home = await createWorkspace(ada);
  const laptop = home.as((await createKey(ada, { name: 'Laptop', actorType: 'human' })).client);
  const claude = home.as((await createKey(ada, { name: 'Claude', actorType: 'agent' })).client);
  const writers = [home, home, claude, claude, laptop, home];
  for (const [i, writer] of writers.entries()) {
    const precondition = i === 0 ? { ifNoneMatch: '*' } : { ifMatch: i };
    const text = `# Plan ${i + 1}\n\nSame line\n\nState ${i + 1}\n`;
    assertStatus(await writer.put('notes/plan.md', text, precondition), i === 0 ? 201 : 200);
  }
  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${home.id}/f/notes/plan.md`);
  await page.getByRole('group', { name: 'Panels' }).getByRole('button', { name: 'History' }).click();
  const panel = page.getByRole('complementary', { name: 'History' });
  const versions = panel.getByRole('list', { name: 'Versions' });
  await versions.getByRole('listitem', { name: 'Version 6', exact: true }).waitFor();
  // Two saves by one key within ten minutes are one row until the user expands it.
  assert.equal(await versions.getByRole('listitem', { name: 'Version 3', exact: true }).count(), 0);
  await versions
    .getByRole('listitem', { name: '1 earlier save' })
    .getByRole('button', { name: '1 earlier save' })
    .click();
  await versions
    .getByRole('listitem', { name: 'Version 3', exact: true })
    .getByText('Claude (agent)')
    .waitFor();
  await versions.getByText('Laptop (key)').waitFor();
  await axeClean(page);

  await versions.getByRole('checkbox', { name: 'Compare version 2', exact: true }).check();
  await versions.getByRole('checkbox', { name: 'Compare version 5', exact: true }).check();
  await panel.getByRole('button', { name: 'Compare', exact: true }).click();
  const comparison = page.getByRole('region', { name: 'Comparing version 2 and version 5' });
  await comparison.getByText('State 2').waitFor();
  await comparison.getByText('State 5').waitFor();
  await comparison.getByRole('status').filter({ hasText: 'Change 1 of 2' }).waitFor();
  await page.keyboard.press('F7');
  await comparison.getByRole('status').filter({ hasText: 'Change 2 of 2' }).waitFor();
  await page.keyboard.press('Shift+F7');
  await comparison.getByRole('status').filter({ hasText: 'Change 1 of 2' }).waitFor();
  await axeClean(page);
  await comparison.getByRole('button', { name: 'Close comparison' }).click();
  await comparison.waitFor({ state: 'detached' });

  await versions.getByRole('link', { name: 'Version 2', exact: true }).click();
  const earlier = page.getByRole('region', { name: 'Earlier version' });
  const times = new Map<number, string>();
  for (const version of [2, 6]) times.set(version, await versionTime(page, home, 'notes/plan.md', version));
  const restored = (version: number) =>
    page.getByRole('status').filter({ hasText: `Restored the version from ${times.get(version)}.` });
  const undo = page.getByRole('button', { name: 'Undo' });
  await earlier.getByText(`Version from ${times.get(2)} (6 is current)`, { exact: true }).waitFor();
  await earlier.getByText('Ada Lovelace').waitFor();
  await earlier.getByText('State 2').waitFor();
  // The list marks the version that is shown.
  assert.deepEqual(await versions.locator('[aria-current]').allInnerTexts(), ['Version 2']);
  await axeClean(page);
  await earlier.getByRole('button', { name: 'Restore version 2' }).click();
  // The notice stays while the pointer is over it.
  await restored(2).hover();
  await versions.getByRole('link', { name: 'Version 7', exact: true }).waitFor();
  assert.match((await home.get('notes/plan.md')).bytes.toString(), /State 2/);
  await undo.click();
  // The undo cannot be undone.
  await restored(6).filter({ hasNot: undo }).waitFor();
  await versions.getByRole('link', { name: 'Version 8', exact: true }).waitFor();
  assert.match((await home.get('notes/plan.md')).bytes.toString(), /State 6/);
  await page.getByRole('button', { name: 'Back to current' }).click();
  await page.getByRole('article', { name: 'plan.md' }).getByText('State 6').waitFor();

  assertStatus(await home.post('move', { from: 'notes/plan.md', to: 'moved.md' }), 200);
  await page.goto(`/w/${home.id}/f/moved.md?panel=history`);
  await versions.getByText('Moved from notes/plan.md').waitFor();
  await versions.getByRole('link', { name: 'Version 2 of notes/plan.md' }).click();
  await earlier.getByText('State 2').waitFor();
  await versions.getByRole('button', { name: 'Restore version 2 of notes/plan.md' }).click();
  await restored(2).waitFor();
  await versions.getByRole('link', { name: 'Version 2', exact: true }).waitFor();
  assert.match((await home.get('moved.md')).bytes.toString(), /State 2/);

  const entries = recordsAt(jsonOf(await home.query('list')), 'entries');
  const current = Number(entries.find(({ path }) => path === 'moved.md')?.version);
  assertStatus(await home.remove('moved.md', current), 204);
  await page.goto(`/w/${home.id}/activity`);
  await page.getByRole('button', { name: 'Restore moved.md' }).click();
  await page.getByRole('status').filter({ hasText: 'Restored moved.md.' }).waitFor();
  await page.goto(`/w/${home.id}/f/moved.md?panel=history`);
  // A version from before the deletion and the move.
  await versions.getByRole('link', { name: 'Version 6 of notes/plan.md' }).click();
  await earlier.getByText('State 6').waitFor();
});
