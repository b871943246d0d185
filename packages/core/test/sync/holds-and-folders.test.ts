import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conflictedCopyPaths, placeholderHash } from '../../src/index.ts';
import {
  absent,
  at,
  baseFile,
  folder,
  hashOf,
  lines,
  localFile,
  object,
  plan,
  remoteFile,
  type Situation,
} from './support/trees.ts';

function many<T>(count: number, value: T): Record<string, T> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, value]));
}
const pending = (situation: Situation) =>
  plan(situation).holds.map(({ kind, members }) => `${kind} ${members.length}`);

for (const [count, base, maxChanges, isHeld] of [
  [101, 1000, 100, true],
  [100, 1000, 100, false],
  [6, 1000, 5, true],
  [20, 40, 100, false],
  [21, 40, 100, true],
  [5, 5, 100, true],
  [4, 4, 100, false],
  [500, 500, 1000, true],
] as const) {
  const sides = [
    ['deletes there', 'local'],
    ['removals here', 'remote'],
  ] as const;
  for (const [what, side] of sides) {
    test(`${count} ${what} of ${base} files with at most ${maxChanges}: ${isHeld ? 'held' : 'done'}`, () => {
      const situation = {
        base: many(base, baseFile('b')),
        [side]: many(count, absent),
        facts: { maxChanges },
      };
      const kind = side === 'local' ? 'deletes_there' : 'deletes_here';
      assert.deepEqual(pending(situation), isHeld ? [`${kind} ${count}`] : []);
      assert.equal(plan(situation).operations.length, isHeld ? 0 : count);
    });
  }
}

test('a deletion of everything needs confirmation from five files on, whatever the number', () => {
  for (let count = 5; count <= 300; count += 1) {
    for (const side of ['local', 'remote'] as const) {
      const all = { base: many(count, baseFile('b')), [side]: many(count, absent) };
      assert.equal(pending({ ...all, facts: { maxChanges: 1_000_000 } }).length, 1, `${count} ${side}`);
    }
  }
});

test('the rest of a deletion of everything is held after its first half was confirmed', () => {
  const members = Array.from({ length: 16 }, (_, i) => ({ path: at(`f${i}`), hash: hashOf('b') }));
  const confirmed = new Map([['deletes_there', members]] as const);
  const situation = { base: many(30, baseFile('b')), local: many(30, absent), facts: { confirmed } };
  assert.deepEqual(pending(situation), ['deletes_there 14']);
});

test('more than 100 updates need confirmation, other operations continue', () => {
  const base = many(400, baseFile('b'));
  const local = { ...many(101, localFile('y')), new: localFile('n') };
  const result = plan({ base, local });
  assert.deepEqual(pending({ base, local }), ['changes 101']);
  assert.deepEqual(lines(result), ['1 upload new=n over nothing']);
  assert.deepEqual(pending({ base: many(100, baseFile('b')), local: many(100, localFile('y')) }), []);
});

test('more than 100 copies at first contact need confirmation', () => {
  const sides = { local: many(101, localFile('y')), remote: many(101, remoteFile('r')) };
  const versions = many(101, []);
  assert.deepEqual(pending({ ...sides, versions, facts: { phase: 'first_contact' } }), ['copies 101']);
  assert.deepEqual(pending({ ...sides, versions }), []);
});

test('only confirmed operations are planned', () => {
  const base = many(30, baseFile('b'));
  const local = many(20, absent);
  const confirmed = new Map([
    ['deletes_there', Array.from({ length: 8 }, (_, i) => ({ path: at(`f${i}`), hash: hashOf('b') }))],
  ] as const);
  const result = plan({ base, local, facts: { maxChanges: 100, confirmed } });
  assert.equal(result.operations.length, 8);
  assert.deepEqual(
    result.holds.map(({ members }) => members.length),
    [12],
  );
});

test('a new empty folder gets a placeholder, and one that the server emptied is removed', () => {
  assert.deepEqual(lines(plan({ localFolders: { a: folder('A', true) } })), ['1 put_placeholder a/.keep']);
  const known = { baseFolders: { a: { object: object('A') } }, localFolders: { a: folder('A', true) } };
  assert.deepEqual(lines(plan(known)), ['14 remove_folder_here a']);
});

test('the placeholder is uploaded before the last file of a remaining folder is deleted', () => {
  const situation = {
    base: { 'a/x': baseFile('x') },
    baseFolders: { a: { object: object('A') } },
    local: { 'a/x': absent },
    localFolders: { a: folder('A', true) },
  };
  assert.deepEqual(lines(plan(situation)), ['1 put_placeholder a/.keep', '9 delete_there a/x x v1 after 0']);
});

test('a placeholder on the server creates its folder and no file', () => {
  const remote = { 'a/.keep': remoteFile('x', { hash: placeholderHash }) };
  assert.deepEqual(lines(plan({ remote })), ['2 make_folder a/.keep']);
  assert.deepEqual(lines(plan({ remote, localFolders: { a: folder('A') } }))[0], '3 adopt a/.keep');
});

test('a file that became a local folder is deleted on the server before its entries are sent', () => {
  const situation = {
    base: { a: baseFile('b') },
    local: { a: { kind: 'blocked', by: 'folder' }, 'a/x': localFile('y') },
    localFolders: { a: folder('A') },
  } as const;
  assert.deepEqual(lines(plan(situation)), ['9 delete_there a b v1', '1 upload a/x=y over nothing after 0']);
});

test('a placeholder on the server is deleted when a local folder has its name', () => {
  const situation = {
    base: { '.keep': baseFile('x', { hash: placeholderHash, stamp: null }) },
    local: { '.keep/x': localFile('y') },
  };
  const sent = ['9 delete_there .keep k v1', '1 upload .keep/x=y over nothing after 0'];
  const isNew = { localFolders: { '.keep': folder('A') } };
  assert.deepEqual(lines(plan({ ...situation, ...isNew })), sent);
  // It was moved there while the delete waited, so it equals the base.
  const isKnown = { baseFolders: { '.keep': { object: object('A') } } };
  assert.deepEqual(lines(plan({ ...situation, ...isKnown })), sent);
});

test('a local file that blocks a folder of the server gets the name of a conflicted copy', () => {
  const situation = { local: { a: localFile('y') }, remote: { 'a/x': remoteFile('r') } };
  assert.deepEqual(lines(plan(situation)), [
    '1 set_aside a y -> a (conflicted copy 2026-11-20 143012 laptop)',
    '2 download a/x=r over nothing after 0',
  ]);
});

test('an empty local folder that blocks a file of the server is removed', () => {
  const situation = {
    baseFolders: { a: { object: object('A') } },
    localFolders: { a: folder('A', true) },
    remote: { a: remoteFile('r') },
  };
  assert.deepEqual(lines(plan(situation)), [
    '14 remove_folder_here a',
    '2 download a=r over nothing after 0',
  ]);
});

test('a local folder with files that blocks a file of the server gets a conflicted copy name', () => {
  const situation = {
    local: { 'a/x': localFile('y') },
    localFolders: { a: folder('A') },
    remote: { a: remoteFile('r') },
  };
  assert.deepEqual(lines(plan(situation)), [
    '2 set_aside a folder -> a (conflicted copy 2026-11-20 143012 laptop)',
  ]);
});

test('a quarantined item gets a name that is free on both sides', () => {
  const [first = at('x')] = conflictedCopyPaths(at('a'), Date.UTC(2026, 10, 20, 14, 30, 12), 'laptop');
  const remote = { 'a/x': remoteFile('r'), [first]: remoteFile('c') };
  const [line] = lines(plan({ local: { a: localFile('y') }, remote }));
  assert.equal(line, '1 set_aside a y -> a (conflicted copy 2026-11-20 143012 laptop) 2');
});

test('on a disk that folds case, one of two like names is fetched and the other is reported', () => {
  const traits = { foldsCase: true, unicodeForm: 'folded', forbids: 'nothing' } as const;
  const remote = { 'A/x': remoteFile('r'), 'a/y': remoteFile('s'), B: remoteFile('t') };
  const result = plan({ base: { b: baseFile('b') }, remote, facts: { traits } });
  assert.deepEqual(lines(result), ['2 download A/x=r over nothing']);
  assert.deepEqual(result.skipped, [
    { path: 'B', reason: 'case_collision', detail: 'b' },
    { path: 'a/y', reason: 'case_collision', detail: 'A' },
  ]);
});

test('hostile names are never fetched', () => {
  const remote = { '.STOA/config.json': remoteFile('r'), 'sub/.git/config': remoteFile('s') };
  const result = plan({ remote });
  assert.deepEqual(result.operations, []);
  assert.deepEqual(
    result.skipped.map(({ reason }) => reason),
    ['hostile_name', 'hostile_name'],
  );
});

test('while uploads wait for quota, smaller versions and deletes continue', () => {
  const base = { big: baseFile('b', { sizeBytes: 90 }), gone: baseFile('g'), small: baseFile('s') };
  const local = {
    big: localFile('x', { sizeBytes: 80 }),
    gone: absent,
    small: localFile('y', { sizeBytes: 20 }),
    new: localFile('n'),
  };
  const result = plan({ base, local, facts: { uploadsWait: 'quota' } });
  assert.deepEqual(lines(result), ['8 upload big=x over b v1', '9 delete_there gone g v1']);
  assert.deepEqual(result.skipped.map(({ path, reason }) => `${path} ${reason}`).sort(), [
    'new quota',
    'small quota',
  ]);
  const tooLarge = plan({ local: { new: localFile('n', { sizeBytes: 11 }) }, facts: { maxFileBytes: 10 } });
  assert.deepEqual(tooLarge.skipped, [{ path: 'new', reason: 'too_large', detail: '10' }]);
});
