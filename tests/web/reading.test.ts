import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { canary, hostileFiles } from '../browser/hostile-files.ts';
import { assertStatus } from '../support/expect.ts';
import { signUp } from '../support/people.ts';
import { createWorkspace, encodePath } from '../support/workspace-client.ts';
import { goTo } from './support/go-to.ts';
import { focused } from './support/keyboard.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

const plan = `---
title: "Plan: winter"
tags: [team, plan]
---
# Plan

A **bold** word, a [file](other.md#goals), a [folder](../notes), [elsewhere](https://elsewhere.example/x),
[a script](javascript:document.title=1) and <b>raw</b> HTML.

- [ ] an open task
- [x] a task that is done

## Goals

| Item | Hours |
| --- | ---: |
| Reading | 12 |

![A square](square.svg) ![far](https://pictures.example/x.png)

### Last[^1]

[^1]: A footnote.
`;
const square =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>';

test(
  'shows a Markdown file with its front matter, outline, tasks, links and pictures',
  app.options,
  async (t) => {
    const ada = await signUp(app.client, 'Ada');
    const home = await createWorkspace(ada, ada.session, 'Team');
    assertStatus(await home.put('notes/plan.md', plan), 201);
    assertStatus(await home.put('notes/other.md', '# Other\n\n## Goals\n\nMore.\n'), 201);
    assertStatus(await home.put('notes/square.svg', square), 201);
    const page = await app.open(t, { as: ada });
    await page.goto(`/w/${home.id}/f/notes/plan.md`);

    const article = page.getByRole('article', { name: 'plan.md' });
    await article.getByRole('heading', { level: 2, name: 'Plan' }).waitFor();
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'plan.md');
    assert.equal(await page.title(), 'plan.md · Team · Stoa');
    const frontMatter = article.getByRole('table', { name: 'Front matter' });
    assert.deepEqual(await frontMatter.getByRole('row').allTextContents(), [
      'titlePlan: winter',
      'tagsteam, plan',
    ]);
    const outline = page.getByRole('navigation', { name: 'On this page' });
    assert.deepEqual(await outline.getByRole('link').allTextContents(), ['Plan', 'Goals', 'Last1']);
    const tasks = article.getByRole('checkbox');
    assert.deepEqual(
      [await tasks.count(), await tasks.first().isChecked(), await tasks.last().isChecked()],
      [2, false, true],
    );
    const elsewhere = article.getByRole('link', { name: 'elsewhere', exact: true });
    assert.equal(await elsewhere.getAttribute('rel'), 'noopener noreferrer');
    assert.equal(await article.getByRole('link', { name: 'a script' }).count(), 0);
    assert.match((await article.textContent()) ?? '', /<b>raw<\/b> HTML/);
    const picture = article.getByRole('img', { name: 'A square' });
    await picture.scrollIntoViewIfNeeded();
    await page.waitForFunction(
      () => document.querySelector<HTMLImageElement>('img[alt="A square"]')?.naturalWidth === 40,
    );
    await article.getByRole('link', { name: /pictures\.example/ }).waitFor();

    await article.getByRole('link', { name: 'file', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'other.md' }).waitFor();
    assert.match(page.url(), /\/f\/notes\/other\.md#goals$/);
  },
);

test(
  'text between two rules at the start is markdown, unless it is a valid mapping',
  app.options,
  async (t) => {
    const ada = await signUp(app.client, 'Ada');
    const home = await createWorkspace(ada);
    const terms = '---\nTuesday: we met.\n\n## Terms\n\nAll sales are final.\n\n---\n\nThank you.\n';
    assertStatus(await home.put('terms.md', terms), 201);
    assertStatus(await home.put('list.md', '---\n# Heading\n- item\n---\n\nRest\n'), 201);
    const page = await app.open(t, { as: ada });
    await page.goto(`/w/${home.id}/f/terms.md`);
    await page.getByRole('heading', { level: 3, name: 'Terms' }).waitFor();
    assert.equal(await page.getByRole('article').getByRole('separator').count(), 2);
    await page.goto(`/w/${home.id}/f/list.md`);
    await page.getByRole('article').getByRole('heading', { level: 2, name: 'Heading' }).waitFor();
    await page.getByRole('article').getByRole('listitem').waitFor();
    await page.goto(`/w/${home.id}/f/list.md?mode=edit`);
    await page.getByRole('textbox', { name: 'Text of list.md' }).waitFor();
    await page.waitForFunction(() => document.querySelector('.editor-front-matter') === null);
  },
);

const mixed = `---
title: שלום, world.
---
# مرحبا بالعالم.

An English paragraph.

هذه فقرة عربية.

- An English item.
- פריט בעברית.

  A paragraph of that item.
- [ ] مهمة.

> اقتباس عربي.

| English | عربي. |
| --- | --- |
| 1. | خلية. |
`;

test('each block of a text has the direction of its first letter, in both modes', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const home = await createWorkspace(ada);
  assertStatus(await home.put('mixed.md', mixed), 201);
  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${home.id}/f/mixed.md`);
  const article = page.getByRole('article', { name: 'mixed.md' });
  await article.getByRole('table').last().waitFor();
  const directions = await article.evaluate((element) =>
    [...element.querySelectorAll('h2, p, li, blockquote, tr, .reading-scroll td, th')].map((each) => [
      each.tagName,
      each.textContent?.trim().slice(0, 6),
      getComputedStyle(each).direction,
    ]),
  );
  assert.ok(directions.length > 15);
  for (const [tag, text = '', direction] of directions) {
    const [letter = 'a'] = text?.match(/\p{L}/u) ?? [];
    if (tag !== 'TR') assert.equal(direction, letter > '\u0590' ? 'rtl' : 'ltr', `${tag} ${text}`);
  }
  // The marker of an item is at the start of its text, within the text's column.
  const [english, hebrew] = await article.getByRole('listitem').evaluateAll((items) =>
    items.map((item) => {
      const box = item.getBoundingClientRect();
      const list = item.parentElement?.getBoundingClientRect();
      return { left: box.left - (list?.left ?? 0), right: (list?.right ?? 0) - box.right };
    }),
  );
  assert.deepEqual(
    [english, hebrew],
    [
      { left: 24, right: 0 },
      { left: 0, right: 24 },
    ],
  );

  await page.goto(`/w/${home.id}/f/mixed.md?mode=edit`);
  await page.getByRole('textbox', { name: 'Text of mixed.md' }).waitFor();
  const lines = await page.evaluate(() =>
    [...document.querySelectorAll('.cm-line')].map(
      (line) => [line.textContent ?? '', getComputedStyle(line).direction] as const,
    ),
  );
  assert.equal(lines.length, mixed.split('\n').length);
  for (const [text, direction] of lines) {
    const [letter = 'a'] = text.match(/\p{L}/u) ?? [];
    assert.equal(direction, letter > '\u0590' ? 'rtl' : 'ltr', text);
  }
});

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('a picture within the text is shown, or says why it is not', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const home = await createWorkspace(ada);
  const text = `![dot](data:image/png;base64,${pixel}) ![ref][dot]\n\n![drawing](data:image/svg+xml;base64,PHN2Zz4=)\n\n![big](data:image/png;base64,${'A'.repeat(1_400_000)})\n\n[dot]: <data:image/png;base64,${pixel}>\n`;
  assertStatus(await home.put('pictures.md', text), 201);
  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${home.id}/f/pictures.md`);
  const article = page.getByRole('article', { name: 'pictures.md' });
  await article.getByText('drawing (only PNG, JPEG, GIF, WebP and AVIF pictures can be embedded)').waitFor();
  await article.getByText('big (embedded pictures above 1 MiB are not shown)').waitFor();
  // The definition of this reference is at the end of a long text.
  await article.getByRole('img', { name: 'ref' }).waitFor();
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('article img')].every((each) => each.naturalWidth === 1),
  );
});

test('a file of an unknown type is shown and edited by its extension', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const home = await createWorkspace(ada);
  const contentType = 'application/x-www-form-urlencoded';
  const put = async (name: string, bytes: string | Uint8Array) =>
    assertStatus(await home.put(name, bytes, { contentType }), 201);
  await put('photo.png', Buffer.from(pixel, 'base64'));
  await put('rows.csv', 'a;b\n1,5;2\n');
  await put('sheet.pdf', onePagePdf('Hello'));
  await put('note.txt', 'text');
  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${home.id}/f/photo.png`);
  await page.getByRole('img', { name: 'photo.png' }).waitFor();
  await page.waitForFunction(
    () => document.querySelector<HTMLImageElement>('img[alt="photo.png"]')?.naturalWidth === 1,
  );
  await page.goto(`/w/${home.id}/f/rows.csv`);
  await page.getByRole('cell', { name: '1,5' }).waitFor();
  await page.goto(`/w/${home.id}/f/sheet.pdf`);
  await page.getByText('Page 1 of 1').waitFor();
  await page.goto(`/w/${home.id}/f/note.txt?mode=edit`);
  await page.getByRole('textbox', { name: 'Text of note.txt' }).waitFor();
});

test('a PDF with a password asks for it', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const home = await createWorkspace(ada);
  assertStatus(await home.put('secret.pdf', lockedPdf('secret')), 201);
  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${home.id}/f/secret.pdf`);
  await page.getByText('This PDF has a password.').waitFor();
  const password = page.getByLabel('PDF password');
  await password.fill('wrong');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'Try again' }).waitFor();
  await password.fill('secret');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByText('Page 1 of 1').waitFor();
});

test('an open file shows the new text when an agent writes it', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const home = await createWorkspace(ada);
  assertStatus(await home.put('a.md', 'before\n'), 201);
  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${home.id}/f/a.md`);
  await page.getByText('before').waitFor();
  assertStatus(await home.put('a.md', 'after\n', { ifMatch: 1 }), 200);
  await page.getByText('after').waitFor();
});

test('shows each kind of file with its own view', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const home = await createWorkspace(ada);
  const files: Readonly<Record<string, string | Uint8Array>> = {
    'code.ts': 'const a = 1;\n',
    'rows.csv': 'name,hours\n"Ada, L.",12\n',
    'square.svg': square,
    'page.html': '<h1>Inside</h1><script>document.title = "ran"</script>',
    'bytes.txt': Uint8Array.of(0xff, 0xfe, 0x00),
    'data.bin': Uint8Array.of(0, 1, 2),
    'film.mp4': Uint8Array.of(0, 1, 2),
    'sheet.pdf': onePagePdf('Hello from the PDF'),
  };
  for (const [name, bytes] of Object.entries(files)) assertStatus(await home.put(name, bytes), 201);
  assertStatus(await home.put('film.mp4', 'x', { ifMatch: 1, contentType: 'video/mp4' }), 200);
  const page = await app.open(t, { as: ada, allowed: stoppedInFrames });
  await page.goto(`/w/${home.id}`);
  const open = async (name: string): Promise<void> => {
    await goTo(page, `/w/${home.id}/f/${name}`);
    await page.getByRole('heading', { level: 1, name }).waitFor();
  };

  await open('code.ts');
  assert.equal(await page.getByRole('textbox', { name: 'Text of code.ts' }).inputValue(), 'const a = 1;\n');
  await open('rows.csv');
  const rows = page.getByRole('table', { name: 'Rows of rows.csv' });
  await rows.getByRole('cell', { name: '12' }).waitFor();
  assert.deepEqual(await rows.getByRole('cell').allTextContents(), ['Ada, L.', '12']);
  assert.deepEqual(await rows.getByRole('columnheader').allTextContents(), ['name', 'hours']);
  await open('page.html');
  const frame = page.frameLocator('iframe[title="Preview of page.html"]');
  await frame.getByRole('heading', { name: 'Inside' }).waitFor();
  assert.notEqual(await page.title(), 'ran');
  await open('square.svg');
  await page.getByRole('img', { name: 'square.svg' }).waitFor();
  await open('sheet.pdf');
  const preview = page.getByRole('region', { name: 'Preview of sheet.pdf' });
  await preview.getByText('Page 1 of 1').waitFor();
  await preview.getByText('Hello from the PDF').waitFor();
  for (const name of ['Next page', 'Previous page']) {
    const button = preview.getByRole('button', { name });
    await button.and(page.locator('[aria-disabled="true"]')).waitFor();
  }
  const wide = async () => (await preview.getByText('Hello from the PDF').boundingBox())?.width ?? 0;
  const before = await wide();
  await preview.getByRole('button', { name: 'Zoom in' }).click();
  while ((await wide()) <= before) await preview.getByText('Hello from the PDF').waitFor();
  await preview.getByRole('button', { name: 'Zoom out' }).click();
  await open('bytes.txt');
  const notText = 'This file is not text. Download it to open it.';
  await page.getByText(notText).waitFor();
  await page.getByText('bytes.txt, 3 B').waitFor();
  const edit = page.getByRole('radio', { name: 'Edit' });
  await edit.and(page.locator(`[aria-disabled="true"][aria-description="${notText}"]`)).waitFor();
  for (const name of ['data.bin', 'film.mp4']) {
    await open(name);
    await page.getByText('No preview for this kind of file.').waitFor();
    await edit.and(page.locator(`[aria-disabled="true"][aria-description="${notText}"]`)).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Download' }).count(), 1);
  }
  // The download of an earlier version has the bytes of that version.
  assertStatus(await home.put('bytes.txt', 'Text now.', { ifMatch: 1 }), 200);
  await page.goto(`/w/${home.id}/f/bytes.txt?v=1`);
  const earlier = page.getByRole('region', { name: 'Earlier version' });
  const address = await earlier.getByRole('link', { name: 'Download' }).getAttribute('href');
  assert.match(address ?? '', /\/version\?.*version=1/);
});

test('a folder shows its README below its list', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const home = await createWorkspace(ada);
  assertStatus(await home.put('notes/README.md', '# About\n\nWhat this is for.\n'), 201);
  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${home.id}/d/notes`);
  const article = page.getByRole('article', { name: 'README.md' });
  await article.getByText('What this is for.').waitFor();
  await page.getByRole('link', { name: 'Open README.md' }).click();
  await page.getByRole('heading', { level: 1, name: 'README.md' }).waitFor();
  await page.getByRole('button', { name: 'Actions for README.md' }).click();
  await page
    .getByRole('menu', { name: 'Actions for README.md' })
    .getByRole('menuitem', { name: 'Rename' })
    .waitFor();
});

test('the info panel shows the details of a file, and keys operate the file page', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const home = await createWorkspace(ada);
  assertStatus(await home.put('notes/a.md', 'hello\n'), 201);
  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${home.id}/f/notes/a.md`);
  const info = page.getByRole('group', { name: 'Panels' }).getByRole('button', { name: 'Info' });
  await info.click();
  const panel = page.getByRole('complementary', { name: 'Info' });
  await panel.getByText(/^Ada, /).waitFor();
  assert.deepEqual(await panel.getByRole('term').allTextContents(), [
    'Path',
    'Size',
    'Type',
    'Version',
    'Last change',
    'Content hash',
    'Private',
    'Links',
  ]);
  assert.match(page.url(), /panel=info/);
  await panel.getByRole('button', { name: 'Close panel' }).click();
  await panel.waitFor({ state: 'detached' });
  await focused(info);
  await page.keyboard.press('i');
  await panel.getByRole('button', { name: 'Close panel' }).focus();
  // Forced colours remove backgrounds. A selected control must also differ by a line.
  await page.emulateMedia({ forcedColors: 'active' });
  const other = page.getByRole('group', { name: 'Panels' }).getByRole('button', { name: 'History' });
  const mode = (name: string) => page.getByRole('radiogroup', { name: 'Mode' }).getByText(name).locator('..');
  const inTree = (name: string) => page.getByRole('treeitem', { name });
  for (const [chosen, notChosen] of [
    [info, other],
    [mode('Read'), mode('Edit')],
    [inTree('a.md'), inTree('notes')],
  ] as const) {
    assert.notEqual(await lineAround(chosen), await lineAround(notChosen), `${chosen}`);
  }
  await page.emulateMedia({ forcedColors: null });
  await panel.getByRole('button', { name: 'Close panel' }).press('Escape');
  await panel.waitFor({ state: 'detached' });
  await focused(info);
  // The other keys of a file and of the app. Switching off single-key shortcuts disables them.
  const shown = (name: string) => page.getByRole('complementary', { name });
  await page.keyboard.press('h');
  await shown('History').getByRole('listitem', { name: 'Version 1' }).waitFor();
  await page.keyboard.press('c');
  await shown('Comments').getByText('No comments. Select some text to begin.').waitFor();
  await page.keyboard.press('ControlOrMeta+/');
  await shown('Comments').waitFor({ state: 'detached' });
  await page.keyboard.press('ControlOrMeta+/');
  await shown('Comments').waitFor();
  await page.keyboard.press('e');
  const editor = page.getByRole('textbox', { name: 'Text of a.md' });
  await editor.press('Escape');
  await editor.waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1 }).focus();
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  for (const [then, name] of [
    ['a', 'Activity'],
    ['c', 'Conflicts'],
    ['h', 'Workspace'],
    ['s', 'General'],
  ] as const) {
    // Both keys at once: a key that follows 1.5 seconds later is not part of a sequence.
    await Promise.all([page.keyboard.press('g'), page.keyboard.press(then)]);
    await heading(name).waitFor();
  }
  await page.goto('/account');
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).uncheck();
  await page.goto(`/w/${home.id}/f/notes/a.md`);
  await page.getByRole('article', { name: 'a.md' }).getByText('hello').waitFor();
  await page.keyboard.press('h');
  await page.keyboard.press('ControlOrMeta+/');
  // The second shortcut toggles the panel: if `h` had opened one, this would have closed it.
  await shown('Comments').waitFor();
  // The calendar has a key of its own that would create a note.
  await page.goto(`/w/${home.id}/d/notes?view=calendar&month=2026-11`);
  await page.locator('[data-day="2026-11-10"]').focus();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.method()));
  await page.keyboard.press('n');
  assert.equal(await page.evaluate(async () => (await fetch('/api/health')).status), 200);
  assert.ok(!sent.includes('PUT'), 'a note was made');
});

/** The lines of an element. Forced colours keep lines and remove backgrounds. */
async function lineAround(shown: Locator): Promise<string> {
  return await shown.evaluate((element) => {
    const { outlineStyle, outlineWidth, borderWidth } = getComputedStyle(element);
    return [outlineStyle, outlineWidth, borderWidth].join(' ');
  });
}

test("a workspace's theme applies to its texts only, and safe mode disables it", app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const home = await createWorkspace(ada);
  assertStatus(await home.put('a.md', '# Title\n\ntext\n'), 201);
  const themeCss =
    'h2 { color: rgb(1, 2, 3) !important } h1, button, :root, html, body { display: none !important } p { translate: 0 -400px; z-index: 99 }';
  assertStatus(await ada.session.send('PATCH', home.root, { json: { themeCss } }), 200);
  const page = await app.open(t, { as: ada });
  await page.goto(`/w/${home.id}/f/a.md`);
  const heading = page.getByRole('heading', { level: 2, name: 'Title' });
  const colorOf = () => heading.evaluate((element) => getComputedStyle(element).color);
  await heading.waitFor();
  // The theme is loaded next to the text.
  await page.waitForFunction(() => {
    const title = document.querySelector('article h2, main h2');
    return title !== null && getComputedStyle(title).color === 'rgb(1, 2, 3)';
  });
  assert.ok(await page.getByRole('heading', { level: 1 }).isVisible());
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('menuitem', { name: 'Copy path' }).waitFor();
  await page.goto(`/w/${home.id}/f/a.md?theme=safe`);
  await heading.waitFor();
  assert.notEqual(await colorOf(), 'rgb(1, 2, 3)');
});

test('hostile files run no code in the app in any view', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const home = await createWorkspace(ada);
  const page = await app.open(t, { as: ada, allowed: stoppedInFrames });
  const said: string[] = [];
  page.context().on('console', (message) => {
    if (message.text().startsWith(`${canary} `)) said.push(message.text());
  });
  const files = hostileFiles();
  for (const { name, contentType, bytes } of files) {
    assertStatus(await home.put(`h/${name}`, bytes, { contentType }), 201);
  }
  assertStatus(await home.put('h/\u202etxt.exe <img src=x onerror=alert(1)>.md', '# Name\n'), 201);
  await page.goto(`/w/${home.id}/f/${encodePath('h/\u202etxt.exe <img src=x onerror=alert(1)>.md')}`);
  await page
    .getByRole('heading', { level: 1, name: '\\u{202E}txt.exe <img src=x onerror=alert(1)>.md' })
    .waitFor();
  for (const { name } of files) {
    await goTo(page, `/w/${home.id}/f/h/${encodePath(name)}`);
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    await shown(page).first().waitFor();
    assert.deepEqual(said, [], name);
  }
});

/** Chromium's errors about code that it blocked in a page's frame. Those of the app's own document differ. */
const stoppedInFrames = {
  messages: [
    /^Blocked (?:script execution|autofocusing)/,
    /^Refused to (?:refresh|execute the redirect)/,
    /URLs may not be used as base URLs/,
    /violates the following Content Security Policy/,
  ],
};

/** An element that exists once a file's page is shown. */
function shown(page: Page) {
  const main = page.getByRole('main');
  return main
    .getByRole('article')
    .or(main.getByRole('textbox'))
    .or(main.getByRole('table'))
    .or(main.getByRole('region'))
    .or(main.getByRole('link', { name: 'Download' }))
    .or(main.locator('img, iframe'))
    .or(main.getByText('This PDF cannot be read here.'));
}

/** The smallest PDF with a line of text. */
/** An empty page that opens with a password: RC4 with 40 bits, the oldest encryption of PDF. */
function lockedPdf(password: string): string {
  const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
  const padded = Buffer.concat([Buffer.from(password), padding]).subarray(0, 32);
  const md5 = (...parts: Uint8Array[]) => createHash('md5').update(Buffer.concat(parts)).digest();
  const id = Buffer.alloc(16, 7);
  const owner = rc4(md5(padded).subarray(0, 5), padded);
  const rights = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
  const user = rc4(md5(padded, owner, rights, id).subarray(0, 5), padding);
  const hex = (bytes: Uint8Array) => `<${Buffer.from(bytes).toString('hex')}>`;
  return pdfOf(
    [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 200]>>',
      `<</Filter/Standard/V 1/R 2/O ${hex(owner)}/U ${hex(user)}/P -4>>`,
    ],
    `/Encrypt 4 0 R/ID[${hex(id)}${hex(id)}]`,
  );
}

function rc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  const state = Array.from({ length: 256 }, (_, index) => index);
  const swap = (a: number, b: number) => {
    [state[a], state[b]] = [state[b] ?? 0, state[a] ?? 0];
  };
  let b = 0;
  for (let a = 0; a < 256; a += 1) {
    b = (b + (state[a] ?? 0) + (key[a % key.length] ?? 0)) % 256;
    swap(a, b);
  }
  b = 0;
  return data.map((byte, index) => {
    const a = (index + 1) % 256;
    b = (b + (state[a] ?? 0)) % 256;
    swap(a, b);
    return byte ^ (state[((state[a] ?? 0) + (state[b] ?? 0)) % 256] ?? 0);
  });
}

function onePagePdf(text: string): string {
  const stream = `BT /F1 24 Tf 40 100 Td (${text}) Tj ET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${stream.length}>>stream\n${stream}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  return pdfOf(objects);
}

function pdfOf(objects: readonly string[], trailer = ''): string {
  let pdf = '%PDF-1.7\n';
  const locations = objects.map((body, index) => {
    const at = pdf.length;
    pdf += `${index + 1} 0 obj${body}endobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const table = pdf.length;
  return `${pdf}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${locations.join('')}trailer<</Root 1 0 R/Size ${objects.length + 1}${trailer}>>\nstartxref\n${table}\n%%EOF`;
}
