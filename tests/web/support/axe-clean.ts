import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const everything = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Fails when the page as it stands has anything that the accessibility rules find. */
export async function axeClean(page: Page): Promise<void> {
  assertNone(await new AxeBuilder({ page }).withTags(everything).analyze(), page);
}

/** The same for colours alone: what another theme can change. */
export async function contrastClean(page: Page): Promise<void> {
  assertNone(await new AxeBuilder({ page }).withRules(['color-contrast']).analyze(), page);
}

type Found = Awaited<ReturnType<AxeBuilder['analyze']>>;

function assertNone({ violations }: Found, page: Page): void {
  const said = violations.map(({ id, help, nodes }) => {
    const places = nodes.map(({ html, failureSummary }) => `    ${html}\n      ${failureSummary ?? ''}`);
    return `${id}: ${help}\n${places.join('\n')}`;
  });
  assert.equal(violations.length, 0, `${page.url()}\n${said.join('\n')}`);
}
