/** The linter of prose: each sentence of the left column has a fault, those of the right column none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFaults } from '../../scripts/prose/find-faults.ts';
import { readTexts } from '../../scripts/prose/read-texts.ts';
import type { TextKind } from '../../scripts/prose/rules.ts';

const rewrites: readonly (readonly [before: string, after: string])[] = [
  [
    'A folder on your machine that stays the same as that workspace, by one page in the app:',
    'Sync a local folder with this workspace. You approve it once in the browser:',
  ],
  ['know what was done to make it lose something', 'see how it is tested against data loss'],
  [
    'That leaves out the tool that builds the web app, too: bring `packages/web/dist` along, as `npm run build` writes it elsewhere.',
    'This also skips the web build. Copy `packages/web/dist` from a machine where you ran `npm run build`.',
  ],
  ['what is remembered of who may do what, and when it ends', 'permission cache and its invalidation'],
  [
    'what a request is known to read first, asked together',
    "prefetch: a request's first reads in one round trip",
  ],
  [
    'Files are rooms, not particles: what is only read together stands together.',
    'Keep code that is read together in one file.',
  ],
  ['So much at once that it is seldom meant is held', 'Bulk deletes need confirmation'],
  ['Notes of what was done wait 5 ms for company', 'State writes are batched for 5 ms'],
  [
    "Signs are letters to PostgreSQL's index of contents",
    'Punctuation is mapped to letters so that pg_trgm indexes it',
  ],
  ['The watch follows the reading', 'One inotify watch per scanned directory on Linux'],
  ['A conflict is an upload that must lose', 'Conflicts are uploaded with `If-None-Match: *`'],
  ['An ignored spelling is not missing', 'A case-only rename to an ignored name deletes nothing'],
  ["A page is one person's", 'Reload the page when another user signs in'],
  [
    'A finger that rested on a file until its menu came opens nothing when it is lifted.',
    'Releasing a long press no longer opens the file.',
  ],
  [
    'What somebody else has just deleted is said to be gone, where it was said to be moved or deleted, with an `Undo` that did nothing.',
    'Deleting a file that is already gone says so instead of offering an Undo.',
  ],
  [
    'A session that ends is signed in again over the page; a connection that is gone is said, and comes back by itself.',
    'After a session expires you sign in without losing the page. The app shows when it is offline and reconnects.',
  ],
  ['`.stoa/config.json` takes a few wishes', '`.stoa/config.json` accepts these options'],
  [
    'What is ignored and stands here is in the way like anything else, and nothing makes room by touching it.',
    'Ignored files still occupy their path; sync never moves or deletes them.',
  ],
  [
    'A PUT that is under way when the page is closed would end with it: the same goes out once more, to be carried on with.',
    'Closing the page aborts a pending PUT, so it is re-sent with `keepalive`.',
  ],
  [
    '4 MiB of nothing, with which deletes go on when the disk is full',
    'a 4 MiB reserve, freed so that deletes still work on a full disk',
  ],
  ['Somebody is in', 'Suspected account compromise'],
  ['how the folder and its workspace stand, as of the last sync', 'show sync status'],
  ['let what is held now through', 'apply the changes that wait for confirmation'],
  ['the rules in force, the last word last', 'list ignore rules, lowest precedence first'],
  ['the newest so many, else 50', 'number of entries (default 50)'],
  ['Look at it, then say it again.', 'Review it and run the command again.'],
  ['let the feeds go on further up than they ever were', 'advance all feed numbers so that none is reused'],
  ['nothing is to resolve', 'there is nothing to resolve'],
  [
    'Only text has lines that somebody wrote. · Fill in since when.',
    'Line history is available for text only. · Enter a start time.',
  ],
  ['Its link lets nobody in any more.', 'The link stops working.'],
  [
    'Most paths are none, and some ask of all that there are.',
    'Fast path: most paths are not copies, and some callers check every path.',
  ],
  [
    'half of each pause by chance, for as long as a pass has patience',
    'exponential backoff with 50 % jitter, up to `retryBudgetMs`',
  ],
  [
    'What stands around the path is asked along where a new file is what is expected: a second question is a second wait.',
    'For an expected create, parent and children are read in the same query: one round trip less.',
  ],
  [
    'stands once, where the answer is lost and another text loses before it is sent again (test)',
    'stores the losing text once when the response is lost and another write loses before the retry',
  ],
  [
    'Restores: a clock far ahead gives no number that is not exact, the tests say which number it is; … (commit, 185 characters)',
    'restore: keep feed jumps within safe integers',
  ],
];

test('reports a fault in each sentence that was rewritten', () => {
  const missed = rewrites.filter(([before]) => faultsOf(before).length === 0);
  assert.deepEqual(missed, []);
});

test('reports no fault in the rewritten sentences', () => {
  const reported = rewrites.flatMap(([, after]) => faultsOf(after).map((fault) => ({ after, ...fault })));
  assert.deepEqual(reported, []);
});

test('reports sentences above the limit, counted for each kind of text', () => {
  const words = (count: number) => `${'word '.repeat(count).trim()}.`;
  const rulesOf = (text: string, kind: TextKind) => faultsIn(text, kind).map(({ rule }) => rule);
  assert.deepEqual(rulesOf(words(36), 'markdown'), ['long sentence']);
  assert.deepEqual(rulesOf(words(35), 'markdown'), []);
  assert.deepEqual(rulesOf(words(31), 'comment'), ['long sentence']);
  assert.deepEqual(rulesOf(`${words(20)} Then ${words(20)}`, 'comment'), []);
});

test('reads paragraphs, cells and headings of Markdown, without code', () => {
  const texts = readTexts(
    'a.md',
    '# Title\n\nA line\nof `code` and [link](x.md).\n\n| a | b |\n\n```sh\nwhoever\n```\n',
  );
  assert.deepEqual(
    texts.map(({ line, text }) => [line, text]),
    [
      [1, 'Title'],
      [3, 'A line of X and link.'],
      [6, 'a'],
      [6, 'b'],
    ],
  );
});

test('reads comments, titles of tests, messages and declared names of code', () => {
  const source = [
    '/** Reads a file. */',
    'function readAnswer(noteLine: string) {',
    "  throw new Error('this is a message');",
    '}',
    '// One comment',
    '// on two lines.',
    "test('keeps both texts', () => {});",
    'const view = <p>Some text for people</p>;',
  ].join('\n');
  const texts = readTexts('a.tsx', source).map(({ kind, line, text }) => `${kind} ${line}: ${text}`);
  assert.deepEqual(texts.toSorted(), [
    'comment 5: One comment on two lines.',
    'doc comment 1: Reads a file.',
    'name 2: answer',
    'name 2: line',
    'name 2: note',
    'name 2: noteLine',
    'name 2: read',
    'name 2: readAnswer',
    'name 8: view',
    'string 3: this is a message',
    'string 8: Some text for people',
    'title 7: keeps both texts',
  ]);
});

test('finds a private word inside a name, not inside a word', () => {
  assert.equal(faultsIn('answer', 'name').length, 1);
  assert.equal(faultsIn('noteFailure', 'name').length, 1);
  assert.equal(faultsIn('placeholder', 'name').length, 0);
  assert.equal(faultsIn('Returns the placeholder', 'comment').length, 0);
});

function faultsOf(text: string) {
  const kinds: readonly TextKind[] = ['markdown', 'doc comment', 'title'];
  return kinds.flatMap((kind) => readTexts('a.md', text).flatMap((read) => faultsIn(read.text, kind)));
}

function faultsIn(text: string, kind: TextKind) {
  return findFaults({ file: 'packages/cli/src/a.ts', line: 1, kind, text });
}
