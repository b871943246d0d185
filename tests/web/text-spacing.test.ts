import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertStatus } from '../support/expect.ts';
import { signUp } from '../support/people.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { goTo } from './support/go-to.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

/** Text spacing that WCAG 2.2 lets a reader set (1.4.12). */
const spacing = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
p { margin-block-end: 2em !important; }`;

/** Returns the controls that cannot be read or reached then. Long names of files may end in an ellipsis. */
async function lost(page: Page): Promise<readonly string[]> {
  return await page.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [sheet];
    const found: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth - clientWidth} px too wide`);
    for (const control of document.querySelectorAll('button, label, h1, h2, h3, dt, th, [role="alert"]')) {
      const box = control.getBoundingClientRect();
      const name = `${control.tagName} ${(control.getAttribute('aria-label') ?? control.textContent ?? '').slice(0, 40)}`;
      if (box.width <= 1 || box.height <= 1) continue;
      // Cut off, unless it scrolls or is shortened on purpose.
      const { overflowX, overflowY, textOverflow } = getComputedStyle(control);
      const cutsDown = overflowY === 'hidden' || overflowY === 'clip';
      if (cutsDown && control.scrollHeight > control.clientHeight + 1) found.push(`${name} is cut below`);
      const cutsAcross = overflowX === 'hidden' || overflowX === 'clip';
      if (cutsAcross && textOverflow !== 'ellipsis' && control.scrollWidth > control.clientWidth + 1) {
        found.push(`${name} is cut at its end`);
      }
      // Larger than its own box, over its neighbours.
      const isShown = overflowX === 'visible' && control.tagName === 'BUTTON';
      if (isShown && control.scrollWidth > control.clientWidth + 2)
        found.push(`${name} does not fit its button`);
      if (control.tagName === 'BUTTON' && (box.left < -1 || box.right > innerWidth + 1)) {
        const scroller = control.closest('table, [role="toolbar"], .reading-contents, [role="tablist"]');
        if (scroller === null) found.push(`${name} is outside the screen`);
      }
    }
    return found;
  }, spacing);
}

test('wide text spacing and 200 % zoom keep all controls readable', app.options, async (t) => {
  const ada = await signUp(app.client, 'Ada Lovelace');
  const workspace = await createWorkspace(ada, ada.session, 'Team');
  const text = '# Plan\n\nOne.\n\n## Next\n\n- [ ] Two\n\n### Then\n\n| a | b |\n| - | - |\n| 1 | 2 |\n';
  assertStatus(await workspace.put('plans/plan.md', text, { ifNoneMatch: '*' }), 201);
  assertStatus(await workspace.put('plans/plan.md', `${text}More.\n`, { ifMatch: 1 }), 200);
  // 1280 x 800 at 200 % and at 100 %.
  for (const viewport of [
    { width: 640, height: 400 },
    { width: 1280, height: 800 },
  ]) {
    const page = await app.open(t, { as: ada, options: { viewport } });
    await page.goto(`/w/${workspace.id}`);
    const shows = async (path: string, name: string, act?: () => Promise<void>) => {
      await goTo(page, path);
      // Also behind a panel, which is a dialog on a narrow screen.
      await page.getByRole('heading', { level: 1, name, includeHidden: true }).waitFor();
      await page.locator('main:not([aria-busy="true"])').first().waitFor();
      await act?.();
      assert.deepEqual(await lost(page), [], `${path} at ${viewport.width} px`);
      // An open dialog would cover the next page.
      const opened = page.getByRole('dialog');
      if (act === undefined || (await opened.count()) === 0) return;
      await page.keyboard.press('Escape');
      await opened.waitFor({ state: 'detached' });
    };
    const home = `/w/${workspace.id}`;
    const plan = `${home}/f/plans/plan.md`;
    const opens = (button: string) => async () => {
      await page.getByRole('button', { name: button, exact: true }).first().click();
      await page.getByRole('dialog').waitFor();
    };
    await shows(`${home}/d/plans`, 'plans', () =>
      page.getByRole('checkbox', { name: 'Select plan.md' }).check(),
    );
    await shows(plan, 'plan.md', () => page.getByRole('article', { name: 'plan.md' }).waitFor());
    await shows(`${plan}?mode=edit`, 'plan.md', () =>
      page.getByRole('textbox', { name: 'Text of plan.md' }).waitFor(),
    );
    await shows(`${plan}?panel=history`, 'plan.md', () => page.getByText('Version 2').first().waitFor());
    await shows(`${plan}?compare=1..2`, 'plan.md', () =>
      page.getByRole('button', { name: 'Next change' }).waitFor(),
    );
    await shows(plan, 'plan.md', opens('Share'));
    await shows(`${home}/d/plans?view=calendar`, 'plans');
    await shows(`${home}/activity`, 'Activity', () => page.getByText('created').first().waitFor());
    for (const [path, name] of [
      ['', 'General'],
      ['/appearance', 'Appearance'],
      ['/members', 'Members'],
      ['/links', 'Links'],
      ['/usage', 'Usage'],
      ['/audit', 'Audit log'],
    ] as const) {
      await shows(`${home}/settings${path}`, name);
    }
    await shows('/account', 'Profile');
    await shows('/account/keys', 'API keys', opens('Create key'));
    await shows('/link', 'Link a device');
  }
});
