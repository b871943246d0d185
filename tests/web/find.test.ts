import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeClean } from './support/axe-clean.ts';
import { focused, tabTo } from './support/keyboard.ts';
import { openedBy, row } from './support/listed-files.ts';
import { smallTargets } from './support/touch-targets.ts';
import { screens, useApp } from './support/use-app.ts';

const app = await useApp();

const files = {
  'notes/plan.md': '# Harbour\n\nThe **launch** has a budget.\n\nAsk the café for 12 chairs.\n',
  'notes/late.txt': 'Nothing here.\nThe budgets of each launch are late.\n',
  'x.md': 'An empty page.\n',
};

async function openPalette(page: Page) {
  await page.keyboard.press('ControlOrMeta+k');
  const dialog = page.getByRole('dialog', { name: 'Find' });
  return {
    dialog,
    field: dialog.getByRole('combobox', { name: 'Find files, text and commands' }),
    names: dialog.getByRole('listbox', { name: 'Results' }),
    inTexts: dialog.getByRole('listbox', { name: 'In texts' }),
  };
}

/** Waits until the reading view has marked these texts. */
async function marked(page: Page, ...texts: readonly string[]): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      JSON.stringify(
        [...(CSS.highlights.get('stoa-found') ?? [])].map((range) => (range as Range).toString()),
      ) === JSON.stringify(wanted),
    texts,
  );
}

const queryOf = (page: Page) => new URL(page.url()).searchParams.get('q');

test(
  'finds words of texts in any order and opens their line with each word marked',
  app.options,
  async (t) => {
    const { page } = await openedBy(app, t, files);
    await row(page, 'x.md').waitFor();
    const { dialog, field, names, inTexts } = await openPalette(page);
    // Only the last word is a prefix.
    await field.fill('budg launch');
    await dialog.getByText('No files match.').waitFor();
    await field.fill('launch budg');
    const option = inTexts.getByRole('option', { name: 'notes/plan.md, line 3: The launch has a budget.' });
    await option.waitFor();
    assert.deepEqual(await option.locator('mark').allInnerTexts(), ['launch', 'budget']);
    await inTexts.getByRole('option', { name: /^notes\/late.txt, line 2: / }).waitFor();
    assert.equal(await names.getByRole('option').count(), 0);
    assert.equal(await dialog.getByText('No files match.').count(), 0);
    await axeClean(page);
    await option.click();
    await marked(page, 'launch', 'budget');

    // Accents and case do not matter.
    const again = await openPalette(page);
    await again.field.fill('CAFE chairs');
    await again.inTexts.getByRole('option', { name: /^notes\/plan.md, line 5: / }).waitFor();
    await page.keyboard.press('Enter');
    await marked(page, 'café', 'chairs');

    // A path by its words, which the fuzzy list of names does not find in this order.
    await openPalette(page);
    await field.fill('txt notes');
    await names.getByRole('option', { name: 'notes/late.txt' }).waitFor();
    await field.fill('late zebra');
    await dialog.getByText('No files match.').waitFor();
  },
);

test('shows filters as chips that can be removed, and offers others', app.options, async (t) => {
  const { page } = await openedBy(app, t, files);
  await page.goto(`${page.url()}/d/notes`);
  await row(page, 'plan.md').waitFor();
  const { dialog, field, names, inTexts } = await openPalette(page);
  assert.equal(await dialog.getByRole('group', { name: 'Filters' }).count(), 0);
  await field.fill('launch type:txt');
  await inTexts.getByRole('option', { name: /^notes\/late.txt, line 2: / }).waitFor();
  assert.equal(await inTexts.getByRole('option').count(), 1);
  await dialog.getByRole('button', { name: 'Remove filter type:txt' }).click();
  await focused(field);
  assert.equal(await field.inputValue(), 'launch');
  await inTexts.getByRole('option', { name: /^notes\/plan.md, line 3: / }).waitFor();
  await tabTo(page, dialog.getByRole('button', { name: 'Add filter type:md' }));
  await page.keyboard.press('Enter');
  await focused(field);
  assert.equal(await field.inputValue(), 'launch type:md ');
  await dialog.getByRole('button', { name: 'Remove filter type:md' }).waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Add filter type:image' }).count(), 0);
  await inTexts.getByRole('option', { name: /^notes\/plan.md, line 3: / }).waitFor();
  assert.equal(await inTexts.getByRole('option').count(), 1);
  await axeClean(page);
  // Filters alone list files.
  await field.fill('');
  await field.fill('in:notes/ type:md');
  await names.getByRole('option', { name: 'notes/plan.md' }).waitFor();
  assert.equal(await names.getByRole('option').count(), 1);
  await field.fill('launch');
  await dialog.getByRole('button', { name: 'Add filter in:notes/' }).click();
  assert.equal(await field.inputValue(), 'launch in:notes/ ');
});

test('the results page has an address, pages of results and the marked lines', app.options, async (t) => {
  const many = Object.fromEntries(
    Array.from({ length: 70 }, (_, at) => [`logs/${at}.md`, `# Log ${at}\n\nThe falcon landed.\n`]),
  );
  const { workspace, page } = await openedBy(app, t, { ...files, ...many });
  await row(page, 'x.md').waitFor();
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await page.getByRole('heading', { level: 1, name: 'Find' }).waitFor();
  const field = page.getByRole('searchbox', { name: 'Find files and text' });
  await focused(field);
  await page.getByText('in:notes/', { exact: true }).waitFor();
  await axeClean(page);
  await field.fill('falcon');
  const status = page.getByRole('status').filter({ hasText: /results?$/ });
  await status.getByText('70 results').waitFor();
  await page.waitForURL((url) => url.pathname === `/w/${workspace.id}/find` && url.search === '?q=falcon');
  const results = page.getByRole('list', { name: 'Results' });
  const items = results.locator(':scope > li');
  const before = await items.count();
  assert.ok(before < 70);
  while ((await items.count()) < 70) {
    const count = await items.count();
    await page.getByRole('button', { name: 'Show more' }).click();
    await items.nth(count).waitFor();
  }
  await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });

  await field.fill('launch type:md');
  await status.getByText('1 result', { exact: true }).waitFor();
  const item = items.filter({ hasText: 'Harbour' });
  await item.getByText('notes/plan.md').waitFor();
  await item.getByText('Ada Lovelace').waitFor();
  const line = item.getByRole('link', { name: 'Line 3 The launch has a budget.' });
  assert.deepEqual(await line.locator('mark').allInnerTexts(), ['launch']);
  await page.getByRole('button', { name: 'Remove filter type:md' }).waitFor();
  await page.waitForURL((url) => url.search === '?q=launch+type%3Amd');
  await axeClean(page);
  await line.click();
  await marked(page, 'launch');
  await page.goBack();
  await item.waitFor();
  assert.equal(queryOf(page), 'launch type:md');
  assert.equal(await field.inputValue(), 'launch type:md');
  await page.goBack();
  await row(page, 'x.md').waitFor();

  // From the palette, by its link and by the keys.
  const palette = await openPalette(page);
  await palette.field.fill('budget');
  await palette.dialog.getByRole('link', { name: 'All results' }).click();
  await status.getByText('2 results').waitFor();
  assert.equal(await field.inputValue(), 'budget');
  await openPalette(page);
  await palette.field.fill('chairs');
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await palette.dialog.waitFor({ state: 'detached' });
  await status.getByText('1 result', { exact: true }).waitFor();
  assert.equal(await field.inputValue(), 'chairs');
  await page.goBack();
  await status.getByText('2 results').waitFor();
  assert.equal(await field.inputValue(), 'budget');
});

test(
  'the results page explains an empty result and offers a retry after a failure',
  app.options,
  async (t) => {
    const { workspace, page } = await openedBy(app, t, files, { messages: [/500/] });
    await page.route('**/api/**/find?**', (route) =>
      route.fulfill({ status: 500, json: { message: 'Broken' } }),
    );
    await page.goto(`/w/${workspace.id}/find?q=launch`);
    await page.getByRole('alert').getByText('The results could not be loaded.').waitFor();
    await page.unroute('**/api/**/find?**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Line 3 The launch has a budget.' }).waitFor();
    const field = page.getByRole('searchbox');
    await field.fill('zebra');
    await page.getByText('Nothing matches.').waitFor();
    await page.getByText('before:2026-11-01').waitFor();
    await field.fill('word '.repeat(17));
    await page.getByText('Use at most 16 words.').waitFor();
  },
);

test('remembers recent searches on this device until the user signs out', app.options, async (t) => {
  const { workspace, page } = await openedBy(app, t, files);
  await row(page, 'x.md').waitFor();
  const { dialog, field, inTexts } = await openPalette(page);
  await field.fill('budget launch');
  await inTexts.getByRole('option', { name: /^notes\/plan.md, line 3: / }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'plan.md' }).waitFor();
  await openPalette(page);
  const recent = dialog.getByRole('listbox', { name: 'Recent searches' });
  await recent.getByRole('option', { name: 'budget launch' }).click();
  assert.equal(await field.inputValue(), 'budget launch');
  await inTexts.getByRole('option', { name: /^notes\/plan.md, line 3: / }).waitFor();
  await page.keyboard.press('Escape');
  await page.goto(`/w/${workspace.id}/find`);
  await page.getByRole('button', { name: 'budget launch' }).click();
  await page.getByRole('link', { name: 'Line 3 The launch has a budget.' }).waitFor();
  const stored = () => page.evaluate((key) => localStorage.getItem(key), `stoa.searches.${workspace.id}`);
  assert.equal(await stored(), '["budget launch"]');
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  assert.equal(await stored(), null);
});

test('marks each word in the editor, in plain text and in tables', app.options, async (t) => {
  const { workspace, page } = await openedBy(app, t, {
    ...files,
    'sheet.csv': 'Item,Note\nChair,the launch of the budget\nTable,none\n',
  });
  const address = (path: string) => `/w/${workspace.id}/f/${path}`;
  await page.goto(address('notes/plan.md?mode=edit&line=3&find=launch+budg'));
  const text = page.getByRole('textbox', { name: 'Text of plan.md' });
  await text.locator('.editor-found').nth(1).waitFor();
  assert.deepEqual(await text.locator('.editor-found').allInnerTexts(), ['launch', 'budget']);
  await text.click();
  await page.keyboard.press('End');
  await page.waitForURL((url) => url.search === '?mode=edit');
  await text.locator('.editor-found').first().waitFor({ state: 'detached' });
  await page.goto(address('notes/late.txt?line=2&find=launch+budget'));
  await marked(page, 'budgets', 'launch');
  await page.goto(address('notes/late.txt?line=2&find=launch+OR+late'));
  await marked(page, 'launch', 'late');
  await page.goto(address('sheet.csv?line=2&find=budget+launch'));
  await marked(page, 'launch', 'budget');
});

test('fits on a phone', app.options, async (t) => {
  const { ada, workspace } = await openedBy(app, t, files);
  const phone = await app.open(t, { as: ada, screen: 'phone' });
  await phone.goto(`/w/${workspace.id}/d/notes`);
  await row(phone, 'plan.md').waitFor();
  const width = () => phone.evaluate(() => document.documentElement.scrollWidth);
  await phone.getByRole('button', { name: 'Find' }).click();
  const dialog = phone.getByRole('dialog', { name: 'Find' });
  await dialog.getByRole('combobox').fill('launch');
  await dialog.getByRole('option', { name: /^notes\/plan.md, line 3: / }).waitFor();
  assert.deepEqual(await smallTargets(phone), []);
  assert.equal(await width(), screens.phone.viewport.width);
  await dialog.getByRole('link', { name: 'All results' }).click();
  await phone.getByRole('link', { name: /^Line 3 / }).waitFor();
  assert.deepEqual(await smallTargets(phone), []);
  assert.equal(await width(), screens.phone.viewport.width);
  await axeClean(phone);
});
