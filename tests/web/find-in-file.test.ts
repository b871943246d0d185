import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStatus } from '../support/expect.ts';
import { signUp } from '../support/people.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { focused, hasFocus } from './support/keyboard.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

test(
  'searches a text in the editor and again after a change of mode; Tab can indent',
  app.options,
  async (t) => {
    const ada = await signUp(app.client, 'Ada Lovelace');
    const home = await createWorkspace(ada);
    assertStatus(await home.put('plan.md', 'one apple\n\ntwo apples\n', { ifNoneMatch: '*' }), 201);
    const page = await app.open(t, { as: ada });
    await page.goto(`/w/${home.id}/f/plan.md?mode=edit`);
    const text = page.getByRole('textbox', { name: 'Text of plan.md' });
    const bar = page.getByRole('search', { name: 'Find in file' });
    for (const mode of ['first', 'again']) {
      await text.click();
      await page.keyboard.press('Control+f');
      await bar.getByRole('textbox', { name: 'Find' }).fill('apple');
      await page.keyboard.press('Enter');
      await page.locator('.cm-searchMatch-selected').waitFor();
      assert.equal(await page.locator('.cm-searchMatch').count(), 2, mode);
      await page.keyboard.press('Escape');
      await bar.waitFor({ state: 'detached' });
      if (mode === 'again') break;
      await page.getByRole('radio', { name: 'Read' }).check();
      await page.getByRole('article', { name: 'plan.md' }).waitFor();
      await page.getByRole('radio', { name: 'Edit' }).check();
      // Choosing Edit puts the focus into the text.
      await focused(text);
    }

    // Tab leaves the text unless Ctrl+M makes it indent.
    const first = text.locator('.cm-line').first();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('Control+m');
    await page.keyboard.press('Tab');
    await focused(text);
    assert.match(await first.innerText(), /^\s+one apple$/);
    await page.keyboard.press('Shift+Tab');
    assert.equal(await first.innerText(), 'one apple');
    await page.keyboard.press('Control+m');
    await page.keyboard.press('Tab');
    assert.equal(await hasFocus(text), false);
    assert.equal(await first.innerText(), 'one apple');
  },
);
