import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scaled } from '../../../../tests/support/random.ts';
import { cleanThemeCss } from '../../src/service/themes/clean-theme-css.ts';

const words = [
  ...[
    'url(',
    'URL(',
    '\\75rl(',
    'u\\0072 l(',
    'src(',
    'image-set(',
    'expression(',
    'calc(',
    'var(--x,',
    'rgb(',
  ],
  ...[
    '@import ',
    '@im\\port ',
    '@font-face',
    '@media ',
    '@media screen{',
    '@layer ',
    '@supports (',
    '@keyframes k{',
  ],
  ...[
    '"',
    "'",
    '\\',
    '\\"',
    '\n',
    '\r\n',
    '\f',
    '\t',
    ' ',
    '/*',
    '*/',
    '<!--',
    '-->',
    '</style>',
    '<',
    '>',
    '\\3c',
  ],
  ...[
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    ';',
    ':',
    ',',
    '!',
    '!important',
    '#',
    '.',
    '*',
    '&',
    '=',
    '|',
    '~',
    '+',
    '-',
    '%',
  ],
  ...[
    'a',
    'h1',
    '.x',
    '#id',
    'a{',
    'color:',
    'background:',
    '--x:',
    'behavior:',
    '-moz-binding:',
    'red',
    '1px',
    '0',
  ],
  ...[
    'from',
    'to',
    '50%',
    'https://evil.example/x',
    '"x"',
    'U+26',
    'progid:',
    '\u0000',
    '\u0001',
    '\ud800',
    'é',
    '🦉',
  ],
  ...[
    'a{b:c}',
    '}a{b:c}',
    '"\n',
    "'}",
    '\\\n',
    '\\a ',
    ':not(',
    '::x',
    'nth-child(2n+1)',
    'layer(x)',
    '--',
    'e3',
  ],
];
const soup = fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((parts) => parts.join(''));
const declaration = fc.tuple(fc.constantFrom('color', 'background', '--x', 'content', 'behavior'), soup);
const rule = fc.tuple(soup, fc.array(declaration, { maxLength: 4 })).map(([selector, declarations]) => {
  const body = declarations.map(([name, value]) => `${name}:${value}`).join(';');
  return `${selector}{${body}}`;
});
const theme = fc.oneof(
  soup,
  fc.array(rule, { maxLength: 5 }).map((rules) => rules.join('')),
  fc.array(fc.oneof(rule, soup), { maxLength: 6 }).map((parts) => parts.join('\n')),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

/** Decodes CSS escapes as a browser does. */
function decoded(css: string): string {
  return css.replace(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/giu, (_, hex?: string, other?: string) =>
    hex === undefined ? (other ?? '') : String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff)),
  );
}

/** Empties the quoted strings of a text. */
function unquoted(css: string): string {
  return css.replace(/"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'/g, '""');
}

const loads = /url\s*\(|src\s*\(|image(?:-set)?\s*\(|expression\s*\(|@import|@font-face/i;
/** A declaration; in a selector the same letters are names of elements and states. */
const runs =
  /[{;][^{};:]*:[^{};]*progid:[^{};]*[;}]|[{;]\s*(?:behavior|-ms-behavior|-moz-binding)\s*:[^{};]*[;}]/i;
const harmlessAtRule = /^@(?:media|supports|container|layer|keyframes|-webkit-keyframes)(?![\w-])/;

function assertHarmless(css: string): void {
  assert.doesNotMatch(css, /</, css);
  assert.doesNotMatch(decoded(css), /</, css);
  const code = unquoted(css);
  assert.doesNotMatch(code, /["'](?!")(?<!"")|\\|\/\*|-->/, css);
  assert.doesNotMatch(code, loads, css);
  assert.doesNotMatch(code, runs, css);
  for (const [at] of code.matchAll(/@[^\s{;(]*/g)) assert.match(at, harmlessAtRule, css);
  assert.equal(code.split('{').length, code.split('}').length, css);
  assert.equal(code.split('(').length, code.split(')').length, css);
}

function cleanedOf(css: string): string {
  return cleanThemeCss(css) ?? '';
}

const size = { numRuns: scaled(300) };

test('whatever goes in, what comes out loads nothing and stays where it is', () => {
  fc.assert(
    fc.property(theme, (css) => assertHarmless(cleanedOf(css))),
    size,
  );
});

test('cleaning cleaned CSS has no effect', () => {
  fc.assert(
    fc.property(theme, (css) => {
      const once = cleanedOf(css);
      assert.equal(cleanedOf(once), once);
    }),
    size,
  );
});

test('a safe rule before a dangerous one is kept', () => {
  fc.assert(
    fc.property(theme, (css) => {
      assert.ok(cleanedOf(`first{color:red}\n${css}`).startsWith('first{color:red}'), css);
    }),
    size,
  );
});

test('the check itself detects dangerous CSS', () => {
  const harmful = [
    'a{b:url(x)}',
    'a{b:"<"}',
    'a{b:"\\3c"}',
    '@import "x"',
    'a{b:c}}',
    'a{b:\\75rl(x)}',
    'a{b:c;behavior:x}',
    'a{filter:progid:x}',
    'a{/**/}',
    '@font-face{a:b}',
    '@mediax{}',
  ];
  for (const css of harmful) assert.throws(() => assertHarmless(css), assert.AssertionError, css);
});
