import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUserCode, userCodeAlphabet, userCodeCharacters, userCodeOf } from '@stoa/core';

test('a code has two groups of four with a hyphen', () => {
  assert.equal(userCodeOf([0, 1, 2, 3, 20, 19, 18, 17]), 'CDFG-9743');
});

test('a code is accepted in any case and spacing', () => {
  for (const typed of ['CDFG-9743', 'cdfg-9743', 'cdfg9743', ' CDFG 9743 ', 'C-D-F-G-9-7-4-3', 'cdfg–9743']) {
    assert.equal(parseUserCode(typed), 'CDFG-9743', typed);
  }
});

test('a text that cannot be a code is not looked up', () => {
  for (const typed of [
    '',
    'CDFG-974',
    'CDFG-97433',
    'CDFG-974A',
    'CDFG_9743',
    'ÇDFG-9743',
    'C'.repeat(10_000),
    '-'.repeat(33),
  ]) {
    assert.equal(parseUserCode(typed), null, typed.slice(0, 40));
  }
});

test('no two characters of a code look alike, and none is a vowel', () => {
  assert.equal(new Set(userCodeAlphabet).size, userCodeAlphabet.length);
  assert.doesNotMatch(userCodeAlphabet, /[AEIOULSZB012568]/);
});

test('there are more codes than an attacker can try in ten minutes', () => {
  assert.ok(userCodeAlphabet.length ** userCodeCharacters > 2 ** 34);
});

test('a draw from outside the alphabet is a bug', () => {
  assert.throws(() => userCodeOf([21, 0, 0, 0, 0, 0, 0, 0]));
  assert.throws(() => userCodeOf([0, 0, 0]));
});
