import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WorkspaceError } from '@stoa/core';
import {
  namesVersion,
  parseExpectedVersion,
  parseVersionTag,
  parseWritePrecondition,
} from '../../src/http/request/headers.ts';

const none = { ifMatch: null, ifNoneMatch: null, ifContentHash: null };
const hash = 'a1'.repeat(32);
const rejected = (code: string) => (error: unknown) => error instanceof WorkspaceError && error.code === code;

describe('preconditions of a write', () => {
  for (const sent of ['3', '"3"', 'W/"3"', ' 3 ']) {
    it(`If-Match: ${sent} names version 3`, () => {
      const expected = { kind: 'version', version: 3, contentHash: null };
      assert.deepEqual(parseWritePrecondition({ ...none, ifMatch: sent }), expected);
    });
  }

  const unreadable = [
    '*',
    '0',
    '-1',
    '+3',
    '03',
    '3.0',
    '1e2',
    'abc',
    '',
    '"3',
    '3"',
    "'3'",
    'w/"3"',
    'W/3',
    '""',
  ];
  for (const sent of [...unreadable, '"3", "4"', '3,4', '3, 3', '9007199254740993', '99999999999999999999']) {
    it(`If-Match: ${sent || '(empty)'} is rejected rather than guessed at`, () => {
      assert.throws(
        () => parseWritePrecondition({ ...none, ifMatch: sent }),
        rejected('invalid_precondition'),
      );
    });
  }

  it('If-None-Match: * asks for a new file', () => {
    assert.deepEqual(parseWritePrecondition({ ...none, ifNoneMatch: '*' }), { kind: 'absent' });
  });

  for (const sent of ['3', '"3"', '*, "3"', '', '"*"']) {
    it(`If-None-Match: ${sent || '(empty)'} on a write is rejected`, () => {
      assert.throws(
        () => parseWritePrecondition({ ...none, ifNoneMatch: sent }),
        rejected('invalid_precondition'),
      );
    });
  }

  it('both together are rejected', () => {
    const both = { ...none, ifMatch: '3', ifNoneMatch: '*' };
    assert.throws(() => parseWritePrecondition(both), rejected('invalid_precondition'));
  });

  it('a content hash next to If-Match gives the content of that version', () => {
    const sent = { ...none, ifMatch: '3', ifContentHash: hash };
    assert.deepEqual(parseWritePrecondition(sent), { kind: 'version', version: 3, contentHash: hash });
  });

  for (const [title, sent] of [
    ['alone', { ifContentHash: hash }],
    ['next to If-None-Match', { ifContentHash: hash, ifNoneMatch: '*' }],
    ['of another form', { ifContentHash: hash.toUpperCase(), ifMatch: '3' }],
    ['that is empty', { ifContentHash: '', ifMatch: '3' }],
  ] as const) {
    it(`a content hash ${title} is rejected`, () => {
      assert.throws(() => parseWritePrecondition({ ...none, ...sent }), rejected('invalid_precondition'));
    });
  }

  it('without a header there is no precondition', () => {
    assert.deepEqual(parseWritePrecondition(none), { kind: 'none' });
  });
});

describe('preconditions of a delete', () => {
  it('without If-Match no version is expected', () => {
    assert.equal(parseExpectedVersion(none), null);
  });

  it('If-Match names the version to delete', () => {
    const expected = { version: 12, contentHash: null };
    assert.deepEqual(parseExpectedVersion({ ...none, ifMatch: '"12"' }), expected);
  });

  it('a content hash next to it gives the content of that version', () => {
    const sent = { ...none, ifMatch: '12', ifContentHash: hash };
    assert.deepEqual(parseExpectedVersion(sent), { version: 12, contentHash: hash });
    assert.throws(
      () => parseExpectedVersion({ ...none, ifContentHash: hash }),
      rejected('invalid_precondition'),
    );
  });

  it('If-None-Match makes no sense on a delete', () => {
    assert.throws(
      () => parseExpectedVersion({ ...none, ifNoneMatch: '*' }),
      rejected('invalid_precondition'),
    );
  });
});

describe('If-None-Match of a read', () => {
  const cases: readonly [sent: string | null, matches: boolean][] = [
    [null, false],
    ['3', true],
    ['"3"', true],
    ['W/"3"', true],
    ['*', true],
    ['"1", "3"', true],
    ['"1", nonsense, W/"3"', true],
    ['4', false],
    ['nonsense', false],
    ['', false],
    ['"33"', false],
  ];
  for (const [sent, matches] of cases) {
    it(`${sent ?? '(none)'} ${matches ? 'names' : 'does not name'} version 3`, () => {
      assert.equal(namesVersion(sent, 3), matches);
    });
  }

  it('a version is never read out of a longer text', () => {
    assert.equal(parseVersionTag('3 or so'), null);
  });
});
