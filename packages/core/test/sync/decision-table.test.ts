import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  absent,
  at,
  baseFile,
  hashOf,
  hidden,
  lines,
  localFile,
  object,
  plan,
  remoteFile,
  type Situation,
} from './support/trees.ts';

// b: as the base; r: the server's; y: yours.
const b = { a: baseFile('b') };
const r = { a: remoteFile('r') };
const y = { a: localFile('y') };
const gone = { a: absent };
const v = (version: number, letter: string) => ({ version, hash: hashOf(letter) });

const rows: readonly (readonly [string, Situation, readonly string[]])[] = [
  ['1 new here: sent, if nothing is there', { local: y }, ['1 upload a=y over nothing']],
  ['2 new there: fetched, if nothing is here', { remote: r }, ['2 download a=r over nothing']],
  ['3 new on both sides and the same', { remote: r, local: { a: localFile('r') } }, ['3 adopt a']],
  [
    '4 new on both sides, here an old version: replaced',
    { remote: r, local: y, versions: { a: [v(2, 'r'), v(1, 'y')] } },
    ['4 download a=r over y'],
  ],
  [
    '4 new on both sides, each with a text of its own: a conflict',
    { remote: r, local: y, versions: { a: [v(2, 'r'), v(1, 'x')] } },
    ['4 conflict a=y against r'],
  ],
  [
    '5 new there, by a record that does not say what: fetched',
    { remote: { a: remoteFile('r', { hash: null }) } },
    ['5 download a=? over nothing'],
  ],
  ['6 nowhere: forgotten', { remote: gone }, ['6 forget a']],
  ['7 in sync', { base: b, local: { a: localFile('b') } }, []],
  [
    '7 in sync, under another version number',
    { base: b, remote: { a: remoteFile('b', { version: 7 }) } },
    ['7 adopt a'],
  ],
  ['8 changed here: sent over what it was made from', { base: b, local: y }, ['8 upload a=y over b v1']],
  [
    '8 damaged here: fetched again, and never sent',
    { base: b, local: { a: localFile('y', { isUntrusted: true }) } },
    ['8 download a=b over y'],
  ],
  ['9 deleted here: deleted there', { base: b, local: gone }, ['9 delete_there a b v1']],
  [
    '9 missing here in a scan that was not whole: nothing',
    { base: b, local: gone, facts: { isHealthy: false } },
    [],
  ],
  [
    '9 moved here: moved there',
    { base: b, local: { a: absent, q: localFile('b') } },
    ['9 move_there a b v1 -> q'],
  ],
  ['10 changed there: replaced here', { base: b, remote: r }, ['10 download a=r over b']],
  ['11 changed alike on both sides', { base: b, remote: r, local: { a: localFile('r') } }, ['11 adopt a']],
  [
    '12 changed on both sides: a conflict',
    { base: b, remote: r, local: y, versions: { a: [v(2, 'r'), v(1, 'b')] } },
    ['12 conflict a=y against r'],
  ],
  [
    '12 changed on both sides, here back to what it was before the base: a conflict',
    {
      base: { a: baseFile('b', { version: 2 }) },
      remote: r,
      local: y,
      versions: { a: [v(3, 'r'), v(2, 'b'), v(1, 'y')] },
    },
    ['12 conflict a=y against r'],
  ],
  [
    '12 the disk was ahead of the state: replaced',
    { base: b, remote: r, local: y, versions: { a: [v(3, 'r'), v(2, 'y'), v(1, 'b')] } },
    ['12 download a=r over y'],
  ],
  [
    '12 changed on both sides, and merging is on',
    { base: b, remote: r, local: y, versions: { a: [] }, facts: { merge: 'clean' } },
    ['12 merge a=y against r'],
  ],
  [
    '13 deleted here and changed there: fetched',
    { base: b, remote: r, local: gone },
    ['13 download a=r over nothing'],
  ],
  [
    '13 moved here and changed there: moved, with the version there',
    { base: b, remote: r, local: { a: absent, q: localFile('b') } },
    ['13 move_there a r v2 -> q'],
  ],
  ['14 deleted there: to the trash', { base: b, remote: gone }, ['14 remove_here a b']],
  [
    '14 moved there: renamed here',
    { base: b, remote: { a: absent, q: remoteFile('r', { movedFrom: at('a') }) } },
    ['14 rename_here a b -> q'],
  ],
  [
    '14 moved there, as its content tells',
    { base: b, remote: { a: absent, q: remoteFile('b') } },
    ['14 rename_here a b -> q'],
  ],
  ['15 deleted on both sides', { base: b, remote: gone, local: gone }, ['15 forget a']],
  [
    '15 moved on both sides: the name of the server wins',
    { base: b, remote: { a: absent, q: remoteFile('b') }, local: { a: absent, p: localFile('b') } },
    ['15 rename_here p b -> q'],
  ],
  [
    '15 moved to the same place on both sides',
    { base: b, remote: { a: absent, q: remoteFile('b') }, local: { a: absent, q: localFile('b') } },
    ['15 carry_base a -> q'],
  ],
  [
    '16 deleted there and changed here: sent again',
    { base: b, remote: gone, local: y },
    ['16 upload a=y over nothing'],
  ],
  [
    '16 moved there and changed here: renamed here, and sent by the next plan',
    { base: b, remote: { a: absent, q: remoteFile('b') }, local: y },
    ['16 rename_here a y -> q'],
  ],
  ['17 made private: taken away', { base: b, remote: { a: hidden } }, ['17 unlink_here a b']],
  [
    '18 made private and changed here: put aside',
    { base: b, remote: { a: hidden }, local: y },
    ['18 rescue a y'],
  ],
  ['19 made private and deleted here', { base: b, remote: { a: hidden }, local: gone }, ['19 forget a']],
  [
    '17 and 19 made private and moved here: not sent under the new name',
    { base: b, remote: { a: hidden }, local: { a: absent, q: localFile('b') } },
    ['17 unlink_here q b', '19 forget a after 0'],
  ],
  ['20 new here, where something private is', { remote: { a: hidden }, local: y }, []],
  [
    '21 not known here: nothing, on either side',
    { base: b, remote: r, local: { a: { kind: 'unknown', reason: 'unreadable' } } },
    [],
  ],
  ['22 something in the way', { base: b, remote: r, local: { a: { kind: 'blocked', by: 'symlink' } } }, []],
  ['23 ignored', { base: b, remote: r, local: y, facts: { isIgnored: () => true } }, []],
];

for (const [title, situation, expected] of rows) {
  test(`row ${title}`, () => {
    assert.deepEqual(lines(plan(situation)), expected);
  });
}

test('rows 4, 5 and 12 ask for facts before they report a conflict', () => {
  assert.deepEqual(plan({ remote: r, local: y }).ask, [{ kind: 'versions', path: 'a' }]);
  assert.deepEqual(plan({ base: b, remote: r, local: y }).ask, [{ kind: 'versions', path: 'a' }]);
  const unsaid = plan({ remote: { a: remoteFile('r', { hash: null }) }, local: y });
  assert.deepEqual(unsaid.ask, [{ kind: 'hash', path: 'a' }]);
  assert.deepEqual(unsaid.operations, []);
});

test('rows 20 to 23 give the reason for a skipped path', () => {
  const reasons = (situation: Situation) => plan(situation).skipped;
  assert.deepEqual(reasons({ remote: { a: hidden }, local: y }), [
    { path: 'a', reason: 'hidden_by_private', detail: null },
  ]);
  assert.deepEqual(reasons({ base: b, local: { a: { kind: 'unknown', reason: 'unreadable' } } }), [
    { path: 'a', reason: 'unreadable', detail: null },
  ]);
  assert.deepEqual(reasons({ base: b, local: { a: { kind: 'unknown', reason: 'unsettled' } } }), []);
  assert.deepEqual(reasons({ base: b, local: { a: { kind: 'blocked', by: 'symlink' } } }), [
    { path: 'a', reason: 'blocked', detail: 'symlink' },
  ]);
  assert.deepEqual(reasons({ local: { a: { kind: 'blocked', by: 'special_file' } } }), [
    { path: 'a', reason: 'special_file', detail: null },
  ]);
  const facts = { isIgnored: () => true };
  assert.deepEqual(reasons({ base: b, local: y, facts }), [{ path: 'a', reason: 'frozen', detail: null }]);
  assert.deepEqual(reasons({ remote: r, facts }), [{ path: 'a', reason: 'ignored', detail: null }]);
});

test('a local move to a name that is taken on the server gets the name of a conflicted copy', () => {
  const situation = { base: b, remote: { q: remoteFile('r') }, local: { a: absent, q: localFile('b') } };
  assert.deepEqual(lines(plan(situation)), [
    '9 set_aside q b -> q (conflicted copy 2026-11-20 143012 laptop)',
  ]);
});

test('a file that already lost at its new name is not moved there', () => {
  const situation = { base: b, remote: { q: remoteFile('r') }, local: { a: absent, q: localFile('b') } };
  const lost = new Set([at('q')]);
  const versions = { q: [v(1, 'r')] };
  assert.deepEqual(lines(plan({ ...situation, versions, facts: { lost } })), [
    '4 conflict q=b against r',
    '9 delete_there a b v1',
  ]);
});

test('a chain of moves is planned from its end', () => {
  const situation = {
    base: { a: baseFile('a', { object: object('A') }), b: baseFile('b', { object: object('B') }) },
    local: {
      a: absent,
      b: localFile('a', { object: object('A') }),
      c: localFile('b', { object: object('B') }),
    },
  };
  assert.deepEqual(lines(plan(situation)), ['9 move_there b b v1 -> c', '9 move_there a a v1 -> b after 0']);
});

test('a save by rename is an update of its path', () => {
  const situation = {
    base: { a: baseFile('b', { object: object('A') }) },
    local: { a: localFile('y', { object: object('new') }), 'a.bak': localFile('b', { object: object('A') }) },
  };
  assert.deepEqual(lines(plan(situation)), ['8 upload a=y over b v1', '1 upload a.bak=b over nothing']);
});

test('a moved folder is planned as its files, then the folder, then deletes in the old one', () => {
  const situation = {
    base: { 'a/x': baseFile('x', { object: object('X') }), 'a/y': baseFile('y', { object: object('Y') }) },
    baseFolders: { a: { object: object('A') } },
    local: { 'a/x': absent, 'a/y': absent, 'q/x': localFile('x', { object: object('X') }) },
    localFolders: { a: absent, q: { kind: 'folder', object: object('A'), isEmpty: false } },
  } as const;
  assert.deepEqual(lines(plan(situation)), [
    '9 move_there a/x x v1 -> q/x',
    '9 move_folder_there a -> q after 0',
    '9 delete_there a/y y v1 after 1',
  ]);
});

test('paths that await an echo or a retry are not planned', () => {
  const awaitingEcho = plan({ base: b, remote: r, facts: { awaitingEcho: new Set([at('a')]) } });
  assert.deepEqual([awaitingEcho.operations, awaitingEcho.skipped], [[], []]);
  const waiting = new Map([[at('a'), { reason: 'bytes_missing', detail: null } as const]]);
  assert.deepEqual(plan({ base: b, remote: r, facts: { waiting } }).skipped, [
    { path: 'a', reason: 'bytes_missing', detail: null },
  ]);
});
