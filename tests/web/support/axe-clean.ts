import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const everything = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Fails when the page as it stands has anything that the accessibility rules find. */
export async function axeClean(page: Page): Promise<void> {
  await stands(page);
  assertNone(await checker(page).withTags(everything).analyze(), page);
}

/** What is still fading in has other colours than it will have. */
async function stands(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const moving = document.getAnimations().map(({ finished }) => finished.catch(() => undefined));
    await Promise.all(moving);
  });
}

/** The same for colours alone: what another theme can change. */
export async function contrastClean(page: Page): Promise<void> {
  await stands(page);
  assertNone(await checker(page).withRules(['color-contrast']).analyze(), page);
}

/**
 * Within the page itself: otherwise the library opens another page for each look. Frames hold what people uploaded, and
 * let no script in.
 */
function checker(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).options({ iframes: false, resultTypes: ['violations'] }).setLegacyMode();
}

type Found = Awaited<ReturnType<AxeBuilder['analyze']>>;

function assertNone({ violations }: Found, page: Page): void {
  const said = violations.map(({ id, help, nodes }) => {
    const places = nodes.map(({ html, failureSummary }) => `    ${html}\n      ${failureSummary ?? ''}`);
    return `${id}: ${help}\n${places.join('\n')}`;
  });
  assert.equal(violations.length, 0, `${page.url()}\n${said.join('\n')}`);
}
