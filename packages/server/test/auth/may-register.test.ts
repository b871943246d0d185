import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayRegister, signUpState } from '../../src/service/people/may-register.ts';

test('by default the first visitor may register, and later ones by invite', () => {
  assert.equal(mayRegister('first', { accounts: 0, invited: false }), true);
  assert.equal(mayRegister('first', { accounts: 1, invited: false }), false);
  assert.equal(mayRegister('first', { accounts: 1, invited: true }), true);
});

test('an open server accepts every registration, and a closed one rejects all', () => {
  assert.equal(mayRegister('open', { accounts: 9, invited: false }), true);
  assert.equal(mayRegister('closed', { accounts: 0, invited: true }), false);
});

test('a visitor learns who may sign up', () => {
  assert.deepEqual(
    (['first', 'open', 'closed'] as const).map((mode) => [signUpState(mode, false), signUpState(mode, true)]),
    [
      ['first', 'invite'],
      ['first', 'open'],
      ['closed', 'closed'],
    ],
  );
});
