import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { agentRewrites, atWork, edit, editor, textOf } from './support/at-work.ts';
import { axeClean } from './support/axe-clean.ts';
import { holdRequests, isPut } from './support/held-requests.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

test(
  'shows a version that arrives during a merge and keeps merged and undecided changes',
  app.options,
  async (t) => {
    const { ada, workspace, agent } = await atWork(app.client);
    const page = await app.open(t, { as: ada });
    await edit(page, workspace);
    const puts = await holdRequests(page, '**/files/plan.md*', isPut);
    for (const line of ['Line 3 of the plan.', 'Line 10 of the plan.']) {
      await editor(page).getByText(line).dblclick();
      await page.keyboard.press('Home');
      await page.keyboard.insertText('Ada: ');
    }
    await agentRewrites(agent, (text) =>
      text.replace('Line 3 ', 'Agent: Line 3 ').replace('Line 10', 'Agent: Line 10'),
    );
    await puts.release();
    const bar = page.getByRole('region', { name: 'Conflict' });
    await bar
      .getByRole('alert')
      .filter({ hasText: 'Claude (agent) saved version 2 while you were typing.' })
      .waitFor();
    // The bar stays visible after scrolling to the end.
    await page.mouse.move(640, 500);
    await page.mouse.wheel(0, 5000);
    await editor(page).getByText('Line 40 of the plan.').waitFor();
    assert.ok(((await bar.boundingBox())?.y ?? -1) >= 0);
    await bar.getByRole('button', { name: 'Compare and merge' }).click();
    const dialog = page.getByRole('dialog', { name: 'Compare and merge plan.md' });
    const left = dialog.getByRole('status', { name: 'Differences' });
    await left.and(page.getByText('2 differences left', { exact: true })).waitFor();
    // A phone shows this text next to the buttons, because it does not show the other text.
    assert.match(
      (await dialog.locator('.merge-controls').first().getAttribute('data-theirs')) ?? '',
      /^Theirs: .*Agent/,
    );
    await dialog.getByRole('button', { name: 'Take both' }).first().click();
    // The headings of both texts stay visible at every scroll position.
    const views = dialog.locator('.compare-views');
    await views.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    for (const heading of [
      dialog.getByText('Version 2 by Claude'),
      dialog.getByText('Merged text', { exact: true }),
    ])
      assert.ok(await isVisible(heading, views));
    await agentRewrites(agent, (text) => text.replace('Line 30 ', 'Line thirty '));
    await dialog
      .getByRole('alert')
      .filter({ hasText: 'Claude (agent) saved version 3 just now. It is shown on the left.' })
      .waitFor();
    await dialog.getByRole('region', { name: 'Current version' }).getByText('Version 3 by Claude').waitFor();
    await axeClean(page);
    await left.and(page.getByText('1 difference left', { exact: true })).waitFor();
    await dialog.getByRole('button', { name: 'Take theirs' }).click();
    await left.and(page.getByText('0 differences left', { exact: true })).waitFor();
    await dialog.getByRole('button', { name: 'Save merged text' }).click();
    await page
      .getByRole('region', { name: 'Notifications' })
      .getByRole('status')
      .filter({ hasText: 'Merged and saved as version 4.' })
      .waitFor();
    const text = await textOf(workspace);
    for (const words of ['Agent: Line 3', 'Ada: Line 3', 'Agent: Line 10', 'Line thirty'])
      assert.ok(text.includes(words), words);
    assert.ok(!text.includes('Ada: Line 10'));
  },
);

async function isVisible(element: Locator, within: Locator): Promise<boolean> {
  const [shown, window] = [await element.boundingBox(), await within.boundingBox()];
  return shown !== null && window !== null && shown.y >= window.y && shown.y < window.y + window.height;
}
