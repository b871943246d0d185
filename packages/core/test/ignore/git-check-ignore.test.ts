import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scaled, seededRandom, seedFrom } from '../../../../tests/support/random.ts';
import { createIgnoreMatcher, readIgnoreText } from '../../src/index.ts';
import { type IgnoreCase, runGitCheckIgnore } from './run-git-check-ignore.ts';

const seed = seedFrom('STOA_IGNORE_SEED');
const { below, pick } = seededRandom(seed);

const some = <T>(most: number, make: () => T): T[] => Array.from({ length: 1 + below(most) }, make);
const letters = [
  'a',
  'b',
  'c',
  'A',
  'B',
  '1',
  '.',
  '-',
  ' ',
  'é',
  '😀',
  '!',
  '#',
  '\\',
  '*',
  '?',
  '[',
  ']',
  '^',
  ':',
  '~',
];
const letter = () => (below(3) > 0 ? pick(['a', 'b', 'c']) : pick(letters));

const classMembers = [
  'a',
  'b',
  'a-c',
  'A-Z',
  '0-9',
  'c-a',
  '-',
  '-a',
  'a-',
  '\\]',
  '\\\\',
  '\\-',
  'a-\\c',
  ']',
  '!',
  '^',
  '[',
  '*',
  '?',
  'é',
  '[:alpha:]',
  '[:digit:]',
  '[:alnum:]',
  '[:upper:]',
  '[:punct:]',
  '[:space:]',
  '[:nothing:]',
  '[:alpha',
  '[:',
  ':]',
  '[.a.]',
];
const bracket = () =>
  `[${pick(['', '', '!', '^'])}${some(3, () => pick(classMembers)).join('')}${below(12) === 0 ? '' : ']'}`;
const chunks: readonly (() => string)[] = [
  letter,
  letter,
  letter,
  () => '*',
  () => '?',
  bracket,
  () => `\\${letter()}`,
  () => pick(['**', '***', '*', '\\', ' ', '\\ ', '\t', '\\/']),
];
const ruleSegment = () =>
  below(5) === 0 ? pick(['**', '*', '***', '']) : some(4, () => pick(chunks)()).join('');
const rule = () =>
  pick(['', '', '', '!', '/', '!/', '**/', '\\', '#']) +
  some(4, ruleSegment).join('/') +
  pick(['', '', '', '/', '/**', '/*', '//', ' ', '  ', '\\ ', '\r', '\0b', '\\']);
const name = () => {
  const made = some(4, letter).join('');
  return /^\.+$/.test(made) ? 'a' : made;
};
const path = () => some(4, name).join('/');

function randomCase(): IgnoreCase {
  const rules = some(6, rule);
  const near = rules.map((each) =>
    each.replace(/[\0\r!]|\[.*\]/g, 'a').replace(/\*+/g, () => pick(['', 'a', 'b/c'])),
  );
  const paths = [...some(20, path), ...near]
    .map((each) =>
      each
        .split('/')
        .filter((part) => !/^\.*$/.test(part) && part !== '.git')
        .join('/'),
    )
    .filter((each) => each !== '' && each.length < 200);
  const folders = new Set<string>();
  for (const each of paths) {
    const own = below(3) === 0 ? each.length : each.lastIndexOf('/');
    for (let end = each.indexOf('/'); end !== -1 && end <= own; end = each.indexOf('/', end + 1))
      folders.add(each.slice(0, end));
    if (own === each.length) folders.add(each);
  }
  const files = new Set(paths.filter((each) => !folders.has(each)));
  const end = pick(['\n', '\n', '\r\n']);
  const text = (below(8) === 0 ? '\ufeff' : '') + rules.join(end) + pick(['', end, '\r']);
  return { rules: text, files: [...files], folders: [...folders] };
}

async function assertAsGit(cases: readonly IgnoreCase[]): Promise<number> {
  const decisions = await runGitCheckIgnore(cases);
  let ignored = 0;
  for (const [index, { rules: text, files, folders }] of cases.entries()) {
    const { rules, passedOver } = readIgnoreText(text);
    assert.deepEqual(passedOver, []);
    const { findRule } = createIgnoreMatcher(rules);
    for (const [kind, paths] of [
      ['file', files],
      ['folder', folders],
    ] as const) {
      for (const each of paths) {
        const decision = decisions[index]?.get(each);
        const expected = decision === undefined || decision.pattern.startsWith('!') ? null : decision.pattern;
        const found = findRule(each, kind);
        // Git names the rule without the spaces and escapes that do not count; which rule it is, its text says here as well.
        const actual = found === null ? null : rules[found];
        assert.equal(
          actual,
          expected,
          `${kind} ${JSON.stringify(each)} by ${JSON.stringify(text)} (STOA_IGNORE_SEED=${seed})`,
        );
        if (actual !== null) ignored += 1;
      }
    }
  }
  return ignored;
}

test('rules exclude what git excludes by them, over random rules and paths', async () => {
  const cases = Array.from({ length: scaled(400) }, randomCase);
  const ignored = await assertAsGit(cases);
  const asked = cases.reduce((sum, { files, folders }) => sum + files.length + folders.length, 0);
  assert.ok(ignored > asked / 20 && ignored < asked, `${ignored} of ${asked}`);
});

test('named classes hold the bytes that they hold for git', async () => {
  const names = [
    'alnum',
    'alpha',
    'blank',
    'cntrl',
    'digit',
    'graph',
    'lower',
    'print',
    'punct',
    'space',
    'upper',
    'xdigit',
  ];
  const bytes = Array.from({ length: 127 }, (_, at) => String.fromCharCode(at + 1)).filter(
    (each) => each !== '/',
  );
  const files = [...bytes, 'é', '\u0080'].map((each) => `x${each}`);
  await assertAsGit(
    names.flatMap((each) => [
      { rules: `x[[:${each}:]]`, files, folders: [] },
      { rules: `x[^[:${each}:]]`, files, folders: [] },
    ]),
  );
});

test('two stars mean the same as for git wherever they are', async () => {
  const ends = ['', '/', '/*', '/**', '/b', '/**/b', '**', '**/b', 'a', '/**/**', '/**/*', '\\/b'];
  const starts = [
    '**',
    '/**',
    'a**',
    'a/**',
    '**/a',
    'a/**/a',
    '*/**',
    '?**',
    '\\a**',
    '[a]**',
    'a/a**',
    '!**',
  ];
  const files = [
    'a',
    'b',
    'aa',
    'ab',
    'a/a',
    'a/b',
    'a/a/b',
    'a/x/a',
    'a/x/y/b',
    'ax/b',
    'ax/y/b',
    'x/a/b',
    'aaa/aab/b',
  ];
  await assertAsGit(
    starts.flatMap((start) =>
      ends.flatMap((end) => [
        { rules: start + end, files, folders: [] },
        { rules: `*\n${start.replace('!', '')}${end}\n!/a`, files, folders: [] },
        { rules: start + end, files: [], folders: files },
      ]),
    ),
  );
});

test('paths of one folder are found as they are one by one', () => {
  const rules = some(6, rule).filter((each) => !each.includes('\0'));
  const together = createIgnoreMatcher(rules);
  for (const each of some(200, path).sort()) {
    assert.equal(together.findRule(each, 'file'), createIgnoreMatcher(rules).findRule(each, 'file'), each);
  }
});
