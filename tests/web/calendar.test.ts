import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStatus } from '../support/expect.ts';
import { signUp } from '../support/people.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { axeClean } from './support/axe-clean.ts';
import { focused } from './support/keyboard.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

test('a folder shows its notes in a calendar, and a new date changes one line', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada Lovelace');
  const home = await createWorkspace(ada);
  const put = async (path: string, text: string) =>
    assertStatus(await home.put(path, text, { ifNoneMatch: '*' }), 201);
  await put('diary/README.md', '---\ntitle: Team diary\nview: calendar\n---\nOur days\n');
  await put(
    'diary/kick-off.md',
    '---\r\ntitle: "Kick-off: a start"\r\ndate: 2026-11-20 # Friday\r\n---\r\nText\r\n',
  );
  await put('diary/review.md', '---\ndate: 2026-11-20\n---\n');
  await put('diary/retro.md', '---\ndate: 2026-12-01\n---\n');
  await put('diary/odd.md', '---\ntitle: "a: b"\ndate: 2026-02-30\n---\n');
  await put('diary/picture.txt', 'not a note');

  const page = await app.open(t, { as: ada });
  await page.clock.setFixedTime(new Date('2026-11-20T12:00:00Z'));
  await page.goto(`/w/${home.id}/d/diary`);
  await page.getByRole('heading', { level: 1, name: 'Team diary' }).waitFor();
  const grid = page.getByRole('grid', { name: 'November 2026' });
  const friday = grid.getByRole('gridcell', { name: 'Friday, November 20, 2026', exact: true });
  await friday.getByRole('link', { name: 'Kick-off: a start' }).waitFor();
  await friday.getByRole('link', { name: 'review.md' }).waitFor();
  const undated = page.getByRole('region', { name: 'Undated' });
  await undated.getByRole('link', { name: 'a: b' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'picture.txt' }).count(), 0);
  assert.equal(await grid.getByRole('link', { name: 'README.md' }).count(), 0);
  await axeClean(page);

  await friday.focus();
  await page.keyboard.press('PageDown');
  await page.getByRole('gridcell', { name: 'Sunday, December 20, 2026' }).waitFor();
  await page.getByRole('grid', { name: 'December 2026' }).getByRole('link', { name: 'retro.md' }).waitFor();
  await page.getByRole('button', { name: 'Today' }).click();
  for (const [key, day] of [
    [null, '2026-11-20'],
    ['ArrowDown', '2026-11-27'],
    ['ArrowLeft', '2026-11-26'],
  ] as const) {
    if (key !== null) await page.keyboard.press(key);
    await page.locator(`[data-day="${day}"]:focus`).waitFor();
  }

  await friday.getByRole('link', { name: 'Kick-off: a start' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Change date' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change date of kick-off.md' });
  await dialog.getByRole('form').getByLabel('Date').fill('2026-11-27');
  await dialog.getByRole('button', { name: 'Change' }).click();
  const next = grid.getByRole('gridcell', { name: 'Friday, November 27, 2026' });
  await next.getByRole('link', { name: 'Kick-off: a start' }).waitFor();
  assert.equal(
    (await home.get('diary/kick-off.md')).bytes.toString(),
    '---\r\ntitle: "Kick-off: a start"\r\ndate: 2026-11-27 # Friday\r\n---\r\nText\r\n',
  );

  await friday.getByRole('link', { name: 'review.md' }).dragTo(next);
  await next.getByRole('link', { name: 'review.md' }).waitFor();
  assert.equal((await home.get('diary/review.md')).bytes.toString(), '---\ndate: 2026-11-27\n---\n');

  await page.getByRole('button', { name: 'New note on Wednesday, November 25, 2026' }).click();
  await page.waitForURL(`**/w/${home.id}/f/diary/2026-11-25.md**`);
  assert.match((await home.get('diary/2026-11-25.md')).bytes.toString(), /^---\ndate: 2026-11-25\n---\n/);
  // The editor takes the focus once it is loaded, and a menu that opens at that moment would close.
  await focused(page.getByRole('textbox', { name: 'Text of 2026-11-25.md' }));
  // The menu of the note itself also changes the date.
  await page.getByRole('button', { name: 'Actions for 2026-11-25.md' }).click();
  await page.getByRole('menuitem', { name: 'Change date' }).click();
  const own = page.getByRole('dialog', { name: 'Change date of 2026-11-25.md' });
  await own.getByRole('form').getByLabel('Date').fill('2026-11-26');
  await own.getByRole('button', { name: 'Change' }).click();
  const moved = (day: string) => page.getByRole('status').filter({ hasText: `Moved to ${day}.` });
  await moved('Thursday, November 26').waitFor();
  assert.match((await home.get('diary/2026-11-25.md')).bytes.toString(), /^---\ndate: 2026-11-26\n---\n/);
  await moved('Thursday, November 26').getByRole('button', { name: 'Undo' }).click();
  await moved('Wednesday, November 25').waitFor();
  assert.equal(await moved('Wednesday, November 25').getByRole('button', { name: 'Undo' }).count(), 0);
  assert.match((await home.get('diary/2026-11-25.md')).bytes.toString(), /^---\ndate: 2026-11-25\n---\n/);

  // A note without a date gets one in the same way. The palette offers the command as well.
  await page.goto(`/w/${home.id}/f/diary/odd.md`);
  await page.getByRole('article', { name: 'odd.md' }).waitFor();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('dialog', { name: 'Find' }).getByRole('combobox').fill('>change date');
  await page.getByRole('option', { name: 'Change date' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Actions for odd.md' }).click();
  await page.getByRole('menuitem', { name: 'Change date' }).click();
  const odd = page.getByRole('dialog', { name: 'Change date of odd.md' });
  await odd.getByRole('form').getByLabel('Date').fill('2026-11-28');
  await odd.getByRole('button', { name: 'Change' }).click();
  await moved('Saturday, November 28').waitFor();
  // It had no date that Undo could set.
  assert.equal(await moved('Saturday, November 28').getByRole('button', { name: 'Undo' }).count(), 0);
});

test(
  'a date changes as YAML, and front matter that cannot be changed safely stays as it is',
  app.options,
  async (t) => {
    const ada = await signUp(app.client, 'Ada Lovelace');
    const home = await createWorkspace(ada);
    const texts = {
      'quoted.md': '---\ntitle: Quoted\n"date": 2026-11-12\n---\ntext\n',
      'below.md': '---\ntitle: Below\ndate:\n  2026-11-13\n---\ntext\n',
      'broken.md': '---\ntitle: a: b\ndate: 2026-11-14\n---\ntext\n',
    };
    for (const [name, text] of Object.entries(texts)) assertStatus(await home.put(`d/${name}`, text), 201);
    const page = await app.open(t, { as: ada });
    await page.goto(`/w/${home.id}/d/d?view=calendar&month=2026-11`);
    const change = async (name: string, title: string) => {
      await page.getByRole('link', { name: title }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Change date' }).click();
      const dialog = page.getByRole('dialog', { name: `Change date of ${name}` });
      await dialog.getByRole('form').getByLabel('Date').fill('2026-11-27');
      await dialog.getByRole('button', { name: 'Change' }).click();
      return dialog;
    };
    const friday = page.getByRole('gridcell', { name: 'Friday, November 27, 2026' });
    await change('quoted.md', 'Quoted');
    await friday.getByRole('link', { name: 'Quoted' }).waitFor();
    await change('below.md', 'Below');
    await friday.getByRole('link', { name: 'Below' }).waitFor();
    const dialog = await change('broken.md', 'broken.md');
    await dialog.getByRole('alert').filter({ hasText: 'Use the editor.' }).waitFor();
    const read = async (name: string) => (await home.get(`d/${name}`)).bytes.toString();
    assert.equal(await read('quoted.md'), texts['quoted.md'].replace('2026-11-12', '2026-11-27'));
    assert.equal(await read('below.md'), texts['below.md'].replace('2026-11-13', '2026-11-27'));
    assert.equal(await read('broken.md'), texts['broken.md']);
  },
);

test('a long press on a note on a phone offers to change its date', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada Lovelace');
  const home = await createWorkspace(ada);
  assertStatus(
    await home.put('diary/kick-off.md', '---\ndate: 2026-11-20\n---\n', { ifNoneMatch: '*' }),
    201,
  );
  const page = await app.open(t, { as: ada, screen: 'phone' });
  await page.goto(`/w/${home.id}/d/diary?view=calendar&month=2026-11`);
  const link = page.getByRole('link', { name: 'kick-off.md' });
  await link.waitFor();
  const box = await link.boundingBox();
  assert.ok(box !== null);
  const finger = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }]);
  const menu = page.getByRole('menu', { name: 'Actions for kick-off.md' });
  await menu.waitFor();
  // The browser also sends the link a mouse event. It must not take the focus, which would close the menu.
  await touch('touchEnd', []);
  await menu.getByRole('menuitem', { name: 'Change date' }).tap();
  const dialog = page.getByRole('dialog', { name: 'Change date of kick-off.md' });
  await dialog.getByRole('form').getByLabel('Date').fill('2026-11-27');
  await dialog.getByRole('button', { name: 'Change' }).tap();
  const next = page.getByRole('gridcell', { name: 'Friday, November 27, 2026' });
  await next.getByRole('link', { name: 'kick-off.md' }).waitFor();
  assert.equal((await home.get('diary/kick-off.md')).bytes.toString(), '---\ndate: 2026-11-27\n---\n');
});

test('the calendar has a first and a last month', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const home = await createWorkspace(ada);
  assertStatus(await home.put('d/end.md', '---\ndate: 9999-12-31\n---\n'), 201);
  const page = await app.open(t, { as: ada });
  const open = (month: string) => page.goto(`/w/${home.id}/d/d?view=calendar&month=${month}`);
  await open('9999-12');
  const last = page.getByRole('gridcell', { name: 'Friday, December 31, 9999' });
  await last.getByRole('link', { name: 'end.md' }).waitFor();
  await page
    .getByRole('button', { name: 'Next month' })
    .and(page.locator('[aria-disabled="true"]'))
    .waitFor();
  await last.focus();
  for (const key of ['ArrowRight', 'ArrowDown', 'PageDown']) await page.keyboard.press(key);
  await page.locator('[data-day="9999-12-31"]:focus').waitFor();
  await open('0000-01');
  await page
    .getByRole('button', { name: 'Previous month' })
    .and(page.locator('[aria-disabled="true"]'))
    .waitFor();
  await page.locator('[data-day="0000-01-01"]').waitFor();
  for (const month of ['0000-00', '10000-01', '-001-12', '99999999-01']) {
    await open(month);
    await page.locator('.calendar-day[aria-current="date"]').waitFor();
  }
});

test('a day with many notes shows all of them on request', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada');
  const home = await createWorkspace(ada);
  for (let i = 0; i < 5; i += 1)
    assertStatus(await home.put(`d/note ${i}.md`, `---\ndate: 2026-11-20\n---\n${i}\n`), 201);
  const page = await app.open(t, { as: ada });
  await page.clock.setFixedTime(new Date('2026-11-20T12:00:00Z'));
  await page.goto(`/w/${home.id}/d/d?view=calendar`);
  const day = page.getByRole('gridcell', { name: 'Friday, November 20, 2026', exact: true });
  await day.getByRole('link', { name: 'note 2.md' }).waitFor();
  assert.equal(await day.getByRole('link').count(), 3);
  await day.getByRole('button', { name: 'Show all 5 on Friday, November 20, 2026' }).click();
  await focused(day.getByRole('link', { name: 'note 3.md' }));
  assert.equal(await day.getByRole('link').count(), 5);
});
