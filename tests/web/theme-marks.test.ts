import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertStatus } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { useApp } from './support/use-app.ts';

/** A theme styles the text of a file. It can neither hide nor imitate the app's marks on it. */
const app = await useApp();

const text = `# Title

First paragraph by Ada, with a [picture](https://elsewhere.example/) and ![chart](https://elsewhere.example/c.png).

- [ ] Tight task
- [x] Done task

1. One

   - [ ] Loose task

> Quoted words.[^1]

[^1]: A note at the end.
`;

/** The app's marks within an article. */
const marks = {
  author: '.writers-note',
  'name of the author': '.writers-note .writers-name',
  comments: '.reading-mark-button',
  'task box': 'li[data-task] input',
  'number of a footnote': '.reading-footnote-number',
  'picture from elsewhere': 'a[data-extra]',
} as const;

/** Selectors that a theme may try for the marks. */
const own =
  '[data-extra], [data-extra] *, [class*="writers"], [class^="writers"] *, [role="note"], [role="note"] *, input, button, [type="checkbox"], .reading-mark-button, .reading-footnote-number, bdi, time, summary, svg, mark > *, li > :first-child:not(p), .reading-chunk > div';
/** Elements around the marks. */
const around =
  ':scope, :scope:has([data-extra]), :has([data-extra]), :has(> input), .reading-chunk, .reading-alongside-top, .reading-footnotes, div, section, mark, ul, ol, li, blockquote';
/** The text of the file, shown again where an element around it hides. */
const words = ':is(h2, p, li, #specific)';

const hiding = [
  'display: none',
  'visibility: hidden',
  'visibility: collapse',
  'opacity: 0',
  'opacity: .01',
  'filter: opacity(0)',
  'clip-path: inset(50%)',
  'clip-path: circle(0)',
  'mask: linear-gradient(transparent, transparent)',
  '-webkit-mask-image: linear-gradient(transparent, transparent)',
  'transform: scale(0)',
  'transform: translate(-9999px)',
  'translate: -9999px 0',
  'scale: .001',
  'rotate: x 90deg',
  'zoom: .01',
  'position: relative; inset: -9999px',
  'position: relative; z-index: -1',
  'margin-inline-start: -9999px',
  'font-size: 0',
  'font-size-adjust: 0',
  'color: transparent',
  'color: white; background: white',
  '-webkit-text-fill-color: transparent',
  '-webkit-text-security: disc',
  'text-indent: -9999px',
  'letter-spacing: -99px',
  'inline-size: 0; block-size: 0; overflow: hidden; padding: 0; border: 0',
  'max-block-size: 0; overflow: clip',
  'content-visibility: hidden',
  'contain: strict; block-size: 0; inline-size: 0',
  'content: none',
  'content: ""',
  'appearance: none; border: 0; background: none',
  'pointer-events: none',
  'animation: gone 1s infinite both',
  '--stoa-text: transparent; --stoa-text-muted: transparent; --stoa-link: transparent; --stoa-background: transparent; --stoa-comment-mark: transparent',
  '--stoa-own-text: transparent; --stoa-own-text-muted: transparent; --stoa-own-background: black; --stoa-own-comment-mark: transparent',
] as const;

/** Ways to hide the elements around the marks and to show the text in them again. */
const hidingAround = [
  ['visibility: hidden', 'visibility: visible'],
  // The article's width depends on its font size: a smaller one hides the text as well.
  ['font-size: 4px', 'font-size: 16px'],
  ['color: transparent', 'color: black'],
  ['-webkit-text-fill-color: transparent', '-webkit-text-fill-color: black'],
  ['zoom: .01', 'zoom: 100'],
  ['transform: scale(.01)', 'transform: scale(100)'],
  ['scale: .01', 'scale: 100'],
  ['transform: translate(-300px)', 'transform: translate(300px)'],
  ['margin-inline-start: -184px', 'margin-inline-start: 0'],
  ['margin-inline-start: -24px', 'padding-inline-start: 0'],
  ['clip-path: inset(0 0 0 184px)', 'color: black'],
  ['clip-path: inset(0 0 0 20px)', 'color: black'],
  ['mask: linear-gradient(to right, transparent 184px, black 184px)', 'color: black'],
  ['overflow: hidden; padding-inline-start: 0', 'color: black'],
  ['overflow: clip; contain: paint', 'color: black'],
  ['padding: 0', 'padding: 0'],
  ['text-indent: -24px', 'text-indent: 0'],
  ['display: contents', 'color: black'],
  ['display: flex; flex-wrap: wrap', 'flex-basis: 100%'],
  ['text-decoration: line-through 40px white', 'color: black'],
  ['pointer-events: none', 'pointer-events: auto'],
  ['content-visibility: hidden', 'color: black'],
  ['opacity: .01', 'opacity: 1'],
  ['isolation: isolate; contain: layout', 'position: relative; z-index: 9'],
] as const;

/** Ways to cover the marks. */
const covering = [
  `${words}:not(:has([data-extra])), pre { position: relative; z-index: 2147483647; background: white; inset-block-start: -60px; margin-inline-start: -184px; box-shadow: 0 0 0 200px white }`,
  `${words} { position: relative; z-index: 9; translate: -184px -30px; padding: 0 0 60px 200px; background: white; pointer-events: none }`,
  `:scope::before, :scope > *::before { content: ""; display: block; position: relative; z-index: 9; block-size: 2000px; margin-block-end: -2000px; background: white; pointer-events: none }`,
  `:scope { transform-style: preserve-3d } :scope * { transform-style: preserve-3d } ${words} { transform: translateZ(9px) translateX(-184px); background: white; padding-inline-start: 200px }`,
  `${around}, :scope * { mix-blend-mode: difference; backdrop-filter: invert(1) }`,
  `:scope::first-line, :scope *::first-line { color: transparent; font-size: 1px } :scope *::first-letter { color: transparent }`,
];

const themes = [
  ...hiding.flatMap((rule) => [
    `${own} { ${rule} }`,
    `${own} { ${rule.replaceAll(/;|$/g, ' !important;')} }`,
    `${own.replaceAll(/,|$/g, '::before,')} a::after { ${rule} }`,
  ]),
  ...hidingAround.flatMap(([gone, shown]) => [
    `${around} { ${gone} } ${words} { ${shown} }`,
    `${around} { ${gone.replaceAll(/;|$/g, ' !important;')} } ${words} { ${shown.replaceAll(/;|$/g, ' !important;')} }`,
  ]),
  ...covering.flatMap((rules) => [
    rules,
    rules.replaceAll(/;|(?<=[^ }]) }/g, ' !important; }').replaceAll('!important; } ', '!important; '),
  ]),
].map(
  (rules) => `@keyframes gone { from, to { opacity: 0; visibility: hidden; translate: -9999px; } } ${rules}`,
);

test('no theme hides what the app adds to a text', app.options, async (t) => {
  const { page, home, setTheme } = await atWork(t);
  for (const width of [1280, 700]) {
    await page.setViewportSize({ width, height: 900 });
    await setTheme(null);
    await page.goto(home);
    await page.locator(marks['name of the author']).first().waitFor();
    for (const selector of Object.values(marks)) await page.locator(selector).first().waitFor();
    await applyTheme(page, '');
    assert.deepEqual(await hiddenMarks(page), [], `without rules at ${width}`);
    const failed: string[] = [];
    for (const css of themes) {
      // Applied as the server and the app do it, without a reload for each theme.
      await applyTheme(page, css);
      const hidden = await hiddenMarks(page);
      if (hidden.length > 0) failed.push(`${css}\n    ${hidden.join('\n    ')}`);
    }
    assert.deepEqual(failed, [], `${failed.length} of ${themes.length} themes at ${width}`);
  }
});

test('a theme stored by the server styles the text and not the marks', app.options, async (t) => {
  const { page, home, setTheme } = await atWork(t);
  await setTheme(
    '[class*=writers], .reading-mark-button, input { display: none !important } p { color: rgb(1, 2, 3) } p::before { content: "Alice wrote this" } h2::before { content: "→ " }',
  );
  await page.goto(home);
  await page.locator(marks['name of the author']).first().waitFor();
  assert.deepEqual(await hiddenMarks(page), []);
  const paragraph = page.locator('.stoa-content p').first();
  assert.equal(await paragraph.evaluate((element) => getComputedStyle(element).color), 'rgb(1, 2, 3)');
  assert.equal(await paragraph.evaluate((element) => getComputedStyle(element, '::before').content), 'none');
  const title = page.getByRole('heading', { level: 2, name: 'Title' });
  assert.equal(await title.evaluate((element) => getComputedStyle(element, '::before').content), '"→ "');
  // The checkboxes still work.
  await page.getByRole('checkbox', { name: 'Tight task' }).check();
});

async function atWork(t: Parameters<typeof app.open>[0]) {
  const ada = await signUp(app.client, 'Ada');
  const workspace = await createWorkspace(ada);
  assertStatus(await workspace.put('plan.md', text), 201);
  const claude = workspace.as((await createKey(ada, { name: 'Claude', actorType: 'agent' })).client);
  assertStatus(await claude.put('plan.md', text.replace('Quoted', 'Quoted by Claude:'), { ifMatch: 1 }), 200);
  for (const quote of ['First paragraph', 'Tight task', 'Title']) {
    const thread = { path: 'plan.md', kind: 'range', quote, body: 'Why?', baseVersion: 2 };
    assertStatus(await workspace.post('comments', thread), 201);
  }
  const page = await app.open(t, { as: ada });
  await page.addInitScript(() => localStorage.setItem('stoa.who-wrote-what', 'on'));
  return {
    page,
    home: `/w/${workspace.id}/f/plan.md`,
    setTheme: async (themeCss: string | null) =>
      assertStatus(await ada.session.send('PATCH', workspace.root, { json: { themeCss } }), 200),
  };
}

/** Writes a theme into the page's theme element. */
async function applyTheme(page: Page, css: string): Promise<void> {
  const { scopedThemeCss } = await import('../../packages/web/src/themes/theme-css.ts');
  await page.evaluate((applied) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(applied);
    document.adoptedStyleSheets = [sheet];
  }, scopedThemeCss(css));
}

/** Returns the marks that cannot be seen, read or reached, with the reason. */
async function hiddenMarks(page: Page): Promise<readonly string[]> {
  return await page.evaluate((selectors) => {
    const said: string[] = [];
    const numbers = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = (color: string) => {
      const [red = 0, green = 0, blue = 0] = numbers(color).map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const contrast = (one: string, other: string) => {
      const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
      return (light + 0.05) / (dark + 0.05);
    };
    const isOpaque = (color: string) => (numbers(color)[3] ?? 1) === 1;
    const article = document.querySelector<HTMLElement>('.stoa-content');
    const frame = document.querySelector('.reading-theme')?.getBoundingClientRect();
    if (article === null || frame === undefined) return ['no article'];
    const inArticle = [article, ...article.querySelectorAll<HTMLElement>('*')];
    const why = (mark: HTMLElement, name: string): string | null => {
      mark.scrollIntoView({ block: 'center' });
      if (!mark.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return 'not visible';
      for (
        let at: Element | null = mark;
        at !== null && at !== article.parentElement;
        at = at.parentElement
      ) {
        const style = getComputedStyle(at);
        if (Number(style.opacity) < 0.9) return `opacity ${style.opacity}`;
        if (style.filter !== 'none' || style.clipPath !== 'none' || style.maskImage !== 'none')
          return 'filtered';
      }
      // The first line of a mark on several lines.
      const box = mark.getClientRects()[0] ?? mark.getBoundingClientRect();
      const bounds = document.querySelector('.reading-theme')?.getBoundingClientRect() ?? frame;
      if (box.width < 6 || box.height < 8) return `${box.width} by ${box.height} px`;
      const visible = {
        width: Math.min(box.right, bounds.right) - Math.max(box.left, bounds.left),
        height: Math.min(box.bottom, bounds.bottom) - Math.max(box.top, bounds.top),
      };
      if (visible.width < box.width * 0.7 || visible.height < box.height * 0.7)
        return `outside of the text: ${box.left} ${box.top}`;
      const style = getComputedStyle(mark);
      const isText = name !== 'task box';
      const isIcon = name === 'comments';
      if (isText) {
        const extra = mark.closest<HTMLElement>('[data-extra]') ?? mark;
        const ground = getComputedStyle(extra).backgroundColor;
        if (!isOpaque(ground)) return `ground ${ground}`;
        if (!isOpaque(style.color)) return `color ${style.color}`;
        if (contrast(style.color, ground) < 3) return `${style.color} on ${ground}`;
        if (style.webkitTextFillColor !== style.color) return `filled with ${style.webkitTextFillColor}`;
        if (!isIcon && Number.parseFloat(style.fontSize) < 11) return `font size ${style.fontSize}`;
        if (style.getPropertyValue('-webkit-text-security') !== 'none') return 'dots';
        if (Number.parseFloat(style.textIndent) !== 0) return `indented by ${style.textIndent}`;
        if (style.letterSpacing !== 'normal') return `letters ${style.letterSpacing}`;
      }
      const hit = document.elementFromPoint(box.left + Math.min(box.width / 2, 10), box.top + box.height / 2);
      if (hit === null || !(mark.contains(hit) || hit.closest('[data-extra]')?.contains(mark) === true))
        return `covered by ${hit?.tagName} ${hit?.className}`;
      return null;
    };
    // A cover that ignores the pointer still counts. A mark must not ignore it, which is checked first.
    for (const mark of article.querySelectorAll<HTMLElement>('[data-extra]'))
      if (getComputedStyle(mark).pointerEvents === 'none') said.push(`no pointer: ${mark.className}`);
    for (const element of inArticle) element.style.setProperty('pointer-events', 'auto', 'important');
    for (const [name, selector] of Object.entries(selectors))
      for (const mark of document.querySelectorAll<HTMLElement>(selector)) {
        const reason = why(mark, name);
        if (reason !== null) said.push(`${name}: ${reason}`);
      }
    for (const element of inArticle) element.style.removeProperty('pointer-events');
    return [...new Set(said)];
  }, marks);
}
