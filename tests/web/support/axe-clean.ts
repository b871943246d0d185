import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const everything = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Fails when the page breaks an accessibility rule of axe. */
export async function axeClean(page: Page): Promise<void> {
  await stands(page);
  assertNone(await check(page, { type: 'tag', values: everything }), page);
}

/** Waits until animations end: an element that fades in does not have its final colours. */
async function stands(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const moving = document.getAnimations().map(({ finished }) => finished.catch(() => undefined));
    await Promise.all(moving);
  });
}

/** Checks only the contrast, which is all that a theme can change. */
export async function contrastClean(page: Page): Promise<void> {
  await stands(page);
  assertNone(await check(page, { type: 'rule', values: ['color-contrast'] }), page);
}

type Violations = AxeResults['violations'];

/** Each loaded page compiles it again. The minified build takes less than half as long. */
let library: Promise<string> | undefined;

/**
 * Within the page itself, where the library is put once for all looks at it. Frames hold what people uploaded, and let no
 * script in.
 */
async function check(page: Page, runOnly: NonNullable<RunOptions['runOnly']>): Promise<Violations> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    library ??= readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
    await page.evaluate(await library);
  }
  const options: RunOptions = { runOnly, iframes: false, resultTypes: ['violations'] };
  // The list of passed rules is much longer, and no caller reads it.
  return await page.evaluate<Violations>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
}

function assertNone(violations: Violations, page: Page): void {
  const said = violations.map(({ id, help, nodes }) => {
    const locations = nodes.map(({ html, failureSummary }) => `    ${html}\n      ${failureSummary ?? ''}`);
    return `${id}: ${help}\n${locations.join('\n')}`;
  });
  assert.equal(violations.length, 0, `${page.url()}\n${said.join('\n')}`);
}
