import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { assertStatus } from '../support/expect.ts';
import { signUp } from '../support/people.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { axeClean } from './support/axe-clean.ts';
import { goTo } from './support/go-to.ts';
import { focused } from './support/keyboard.ts';
import { useApp, type Visit } from './support/use-app.ts';

const app = await useApp();

/** Long enough that the worker sends it in several parts, and that the line is far below the first screen. */
const lines = Array.from(
  { length: 1200 },
  (_, at) => `Paragraph ${at} of the plan, with **bold** words in it.`,
);
const plan = `---\ntitle: Harbour\n---\n\n# Plan\n\n${lines.with(800, '- The **budget** launch is near, says [Ada](https://example.org/ada).').join('\n\n')}\n`;
const planLine = 7 + 2 * 800;
const log = lines
  .map((_, at) => `${at} debug nothing happened`)
  .with(900, '\t900 error: the budget launch failed');
const sheet = `Item,Cost,Note\n${lines.map((_, at) => `Chair ${at},${at},${at === 700 ? `${'long '.repeat(20)}budget launch` : ''}`).join('\n')}\n`;

async function opened(t: Parameters<typeof app.open>[0], visit: Visit = {}) {
  const ada = await signUp(app.client, 'Ada Lovelace');
  const home = await createWorkspace(ada);
  const files = {
    'notes/plan.md': plan,
    'log.txt': log.join('\r\n'),
    'sheet.csv': sheet,
    'short.md': '# Short\n\nOne line.\n',
  };
  for (const [path, text] of Object.entries(files))
    assertStatus(await home.put(path, text, { ifNoneMatch: '*' }), 201);
  const page = await app.open(t, { as: ada, ...visit });
  return { home, page, address: (path: string) => `/w/${home.id}/f/${path}` };
}

/** Chooses a line in the palette by keyboard. */
async function choose(page: Page, words: string, name: string | RegExp): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  const dialog = page.getByRole('dialog', { name: 'Find' });
  await dialog.getByRole('combobox').fill(words);
  const option = dialog.getByRole('listbox', { name: 'In texts' }).getByRole('option', { name });
  await option.waitFor();
  while ((await option.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
}

/** Waits until the matches are marked and the first one is visible. */
async function marked(page: Page, ...texts: readonly string[]): Promise<void> {
  await page.waitForFunction((wanted) => {
    const ranges = [...(CSS.highlights.get('stoa-found') ?? [])].filter((range) => range instanceof Range);
    const [match] = ranges[0]?.getClientRects() ?? [];
    const main = document.querySelector('main')?.getBoundingClientRect();
    if (match === undefined || main === undefined) return false;
    const shown = document.elementFromPoint((match.left + match.right) / 2, (match.top + match.bottom) / 2);
    return (
      JSON.stringify(ranges.map((range) => range.toString())) === JSON.stringify(wanted) &&
      match.top >= main.top &&
      match.bottom <= main.bottom &&
      match.left >= main.left &&
      match.right <= main.right &&
      shown?.closest('article, .reading-source, .reading-csv') != null
    );
  }, texts);
}

/** Waits until the text is selected in the middle of the view. */
async function selected(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => {
    const selection = getSelection();
    const main = document.querySelector('main')?.getBoundingClientRect();
    if (selection?.toString() !== wanted || main === undefined) return false;
    const { top, bottom } = selection.getRangeAt(0).getBoundingClientRect();
    return Math.abs(top + bottom - main.top - main.bottom) / 2 < main.height / 4;
  }, text);
}

async function unmarked(page: Page, address: string): Promise<void> {
  await page.waitForURL((url) => url.pathname + url.search === address);
  await page.waitForFunction(() => !CSS.highlights.has('stoa-found'));
}

const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

test(
  'opens a line that the palette found in the reading view, and again after a reload',
  app.options,
  async (t) => {
    const { home, page, address } = await opened(t);
    await page.goto(`/w/${home.id}`);
    await page.getByRole('row', { name: 'short.md' }).waitFor();
    await choose(page, 'budget** launch', /^notes\/plan.md, line 1,607: /);
    const article = page.getByRole('article', { name: 'plan.md' });
    await marked(page, 'budget', 'launch');
    assert.deepEqual(searchOf(page), { line: String(planLine), find: 'budget** launch' });
    // The focus is at the match: the next Tab goes to the link in its line.
    await focused(article.locator('li'));
    await page.keyboard.press('Tab');
    await focused(article.getByRole('link', { name: 'Ada' }));
    // The mark is not an element, so copied text does not have it.
    assert.equal(await article.locator('mark').count(), 0);
    await page.reload();
    await marked(page, 'budget', 'launch');

    // A press on the mark keeps it.
    await article.locator('li strong').click();
    await marked(page, 'budget', 'launch');
    const entries = await page.evaluate(() => history.length);
    await article.getByText('Paragraph 801 of').click();
    await unmarked(page, address('notes/plan.md'));
    assert.equal(await page.evaluate(() => history.length), entries);
    await page.goBack();
    await page.getByRole('row', { name: 'short.md' }).waitFor();
  },
);

test(
  'goes to another line of the open file, and to the same one again; Escape removes the mark',
  app.options,
  async (t) => {
    const { page, address } = await opened(t);
    await page.goto(address('notes/plan.md?panel=info'));
    await page.getByRole('article').getByText('Paragraph 3 of').waitFor();
    for (const _ of ['first', 'again']) {
      await choose(page, 'Paragraph 1100', /^notes\/plan.md, line 2,207: /);
      await marked(page, 'Paragraph', '1100');
      await page.locator('main').evaluate((main) => main.scrollTo(0, 0));
    }
    assert.deepEqual(searchOf(page), { panel: 'info', line: '2207', find: 'Paragraph 1100' });
    await choose(page, 'Paragraph 500 ', /^notes\/plan.md, line 1,007: /);
    await marked(page, 'Paragraph', '500');
    await page.keyboard.press('Escape');
    await unmarked(page, address('notes/plan.md?panel=info'));
  },
);

test('opens a line of plain text and of a table', app.options, async (t) => {
  const { home, page, address } = await opened(t);
  await page.goto(`/w/${home.id}`);
  await page.getByRole('row', { name: 'short.md' }).waitFor();
  await choose(page, 'budget launch', 'log.txt, line 901: 900 error: the budget launch failed');
  const text = page.getByRole('textbox', { name: 'Text of log.txt' });
  for (const time of ['first', 'reloaded']) {
    await marked(page, 'budget', 'launch');
    await isOverLine(text, log[900] ?? '');
    if (time === 'first') await page.reload();
  }
  await focused(text);
  await page.keyboard.press('Escape');
  await unmarked(page, address('log.txt'));

  await choose(page, 'budget launch', /^sheet.csv, line 702: .*budget launch$/);
  await marked(page, 'budget', 'launch');
  await page.getByRole('table').getByText('Chair 699', { exact: true }).click();
  await unmarked(page, address('sheet.csv'));
  // The table shows 1,000 rows.
  await choose(page, 'chair 1150', /^sheet.csv, line 1,152: /);
  await page.getByText('The table does not show this row, so you see the source.').waitFor();
  await marked(page, 'Chair', '1150', '1150');
});

/** The mark is below the same line of the field. */
async function isOverLine(field: Locator, line: string): Promise<void> {
  const shown = await field.evaluate((element) => {
    if (!(element instanceof HTMLTextAreaElement)) return null;
    const [range] = CSS.highlights.get('stoa-found') ?? [];
    if (!(range instanceof Range)) return null;
    const match = range.getBoundingClientRect();
    const { lineHeight, paddingTop } = getComputedStyle(element);
    const top = element.getBoundingClientRect().top + element.clientTop + Number.parseFloat(paddingTop);
    const at = ((match.top + match.bottom) / 2 - top + element.scrollTop) / Number.parseFloat(lineHeight);
    return element.value.split('\n')[Math.floor(at)] ?? null;
  });
  assert.equal(shown, line);
}

test('selects the match in the editor, and an edit removes the mark', app.options, async (t) => {
  const { page, address } = await opened(t);
  await page.goto(address('notes/plan.md?mode=edit'));
  const text = page.getByRole('textbox', { name: 'Text of plan.md' });
  await focused(text);
  await choose(page, 'says [ada]', /^notes\/plan.md, line 1,607: /);
  for (const time of ['first', 'reloaded']) {
    await focused(text);
    await selected(page, 'says');
    assert.deepEqual(searchOf(page), { mode: 'edit', line: String(planLine), find: 'says [ada]' });
    if (time === 'first') await page.reload();
  }
  for (const mode of ['Read', 'Edit']) {
    await page.getByRole('radio', { name: mode }).check();
    if (mode === 'Read') await marked(page, 'says', 'Ada');
    else await selected(page, 'says');
  }
  await page.keyboard.type('writes');
  await page.waitForURL((url) => url.search === '?mode=edit');
  assert.match(
    await text.locator('.cm-activeLine, .cm-line', { hasText: 'writes' }).innerText(),
    /near, writes \[Ada\]/,
  );

  // Escape returns to the reading view, as always, and removes the mark.
  await goTo(page, address(`notes/plan.md?mode=edit&line=${planLine}&find=budget`));
  await selected(page, 'budget');
  await page.keyboard.press('Escape');
  await page.getByRole('article', { name: 'plan.md' }).waitFor();
  await unmarked(page, address('notes/plan.md'));
});

test(
  'finds the words again after the text has moved, and opens at the top when they are gone',
  app.options,
  async (t) => {
    const { page, address } = await opened(t);
    await page.goto(address('notes/plan.md?line=40&find=launch%20is%20near'));
    await marked(page, 'launch', 'is', 'near');
    await page.goto(address('notes/plan.md?line=2&find=harbour'));
    await marked(page, 'Harbour');
    await page.goto(address('notes/plan.md?line=7000&find=falcon'));
    await page.getByRole('article').getByText('Paragraph 3 of').waitFor();
    assert.equal(await page.locator('main').evaluate((main) => main.scrollTop), 0);
    await page.goto(address('short.md?line=-3&find=%20&mode=read'));
    await page.getByRole('article').getByText('One line.').waitFor();
    assert.equal(await page.evaluate(() => CSS.highlights.has('stoa-found')), false);
    await page.waitForURL((url) => url.search === '?mode=read');
    // The address of a link, which is not rendered: its line is marked.
    await page.goto(address(`notes/plan.md?line=${planLine}&find=example.org`));
    await marked(page, 'The budget launch is near, says Ada.');
  },
);

for (const screen of ['desk', 'phone'] as const) {
  test(`the palette shows excerpts with marked matches, and opens one: ${screen}`, app.options, async (t) => {
    const { home, page } = await opened(t, { screen });
    await page.goto(`/w/${home.id}`);
    await page.getByRole('button', { name: 'Find' }).click();
    const dialog = page.getByRole('dialog', { name: 'Find' });
    await dialog.getByRole('combobox').fill('ada');
    const option = dialog.getByRole('option', {
      name: 'notes/plan.md, line 1,607: The budget launch is near, says Ada.',
    });
    await option.waitFor();
    assert.deepEqual(await option.locator('mark').allInnerTexts(), ['Ada']);
    await axeClean(page);
    await option.click();
    await marked(page, 'Ada');
    await axeClean(page);
  });
}
