import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertStatus } from '../support/expect.ts';
import { signUp } from '../support/people.ts';
import { jsonOf, recordOf, textAt } from '../support/response.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { axeClean } from './support/axe-clean.ts';
import { useApp } from './support/use-app.ts';

const app = await useApp();

/** One of each element that looks the same on both pages. */
const text =
  '## Heading\n\nA paragraph with a [link](https://example.org), and `code`.\n\n> A quote.\n\n```\nlines\n```\n\n- item\n\n| a |\n| - |\n| b |\n\n1. [x] done, ~~not~~[^1]\n\n[^1]: note\n';
const elements = ['h2', 'p', 'p > a', 'p > code', 'blockquote', 'pre', 'ul', 'li', 'td', 'del', 'sup > a'];
const styles = [
  ...[
    'color',
    'backgroundColor',
    'fontFamily',
    'lineHeight',
    'borderInlineStartColor',
    'borderBlockEndColor',
  ],
  ...['fontWeight', 'fontSize'],
] as const;

/** Returns the computed colours of each element, and its type where that is the same on both pages. */
async function look(page: Page, within: string, names: readonly string[]) {
  return await page.evaluate(
    ({ within, names, styles }) => {
      const found = names.map((name) => {
        const element = document.querySelector(`${within} ${name}`);
        if (element === null) throw new Error(`no ${name} in ${within}`);
        const computed = getComputedStyle(element) as unknown as Record<string, string>;
        return [name, styles.map((style) => `${style}: ${computed[style]}`)] as const;
      });
      const background = getComputedStyle(document.documentElement).backgroundColor;
      return { background, found };
    },
    { within, names, styles },
  );
}

/** The logo of Stoa at the top of the page. */
async function mark(page: Page) {
  return await page.getByRole('banner').evaluate((banner) => {
    const drawing = banner.querySelector('svg');
    const { fontSize, fontWeight, color } = getComputedStyle(drawing?.parentElement ?? banner);
    return {
      word: drawing?.parentElement?.textContent.trim(),
      lines: drawing?.querySelector('path')?.getAttribute('d'),
      of: drawing === null ? null : getComputedStyle(drawing).color,
      type: [fontSize, fontWeight, color],
    };
  });
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a shared page has the app's colours and type (${colorScheme})`, app.options, async (t) => {
    const ada = await signUp(app.client);
    const home = await createWorkspace(ada);
    // In the app headings are one level further down, below the name of the file.
    const inApp = text.replace('## ', '# ');
    assertStatus(await home.put('shared.md', text, { ifNoneMatch: '*' }), 201);
    assertStatus(await home.put('read.md', inApp, { ifNoneMatch: '*' }), 201);
    const reader = await app.open(t, { as: ada, options: { colorScheme } });
    await reader.goto(`/w/${home.id}/f/read.md`);
    await reader.getByRole('article', { name: 'read.md' }).getByRole('table').waitFor();
    const expected = await look(reader, '.stoa-content', elements);
    // A section heading has another size on a page that has a title of its own.
    const sizeless = ({ background, found }: typeof expected) => ({
      background,
      found: found.map(([name, said]) => [
        name,
        name === 'h2' ? said.filter((line) => !/^(?:fontSize|lineHeight)/.test(line)) : said,
      ]),
    });

    const share = jsonOf(await home.post('shares', { path: 'shared.md', kind: 'file', access: 'public' }));
    const stranger = await app.open(t, {
      options: { colorScheme },
      allowed: { messages: [/favicon/, /status of 404/] },
    });
    await stranger.goto(new URL(textAt(recordOf(share.share), 'url')).pathname);
    await stranger.getByRole('heading', { name: 'Heading' }).waitFor();
    await axeClean(stranger);
    assert.deepEqual(sizeless(await look(stranger, 'main', elements)), sizeless(expected));

    // A link that asks for a password, or is not valid, still shows that the page belongs to Stoa.
    await stranger.goto('/s/nothing');
    await axeClean(stranger);
    const shown = await mark(stranger);
    await stranger.goto('/signin');
    await stranger.getByRole('form', { name: 'Sign in' }).waitFor();
    assert.deepEqual(shown, await mark(stranger));
    assert.equal(shown.word, 'Stoa');
  });
}
