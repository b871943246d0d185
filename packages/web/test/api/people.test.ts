import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whoNow, whoOf } from '../../src/api/people.ts';

const ben = { principal: 'human', actorId: 'ben', actorKeyId: null, actorLabel: null } as const;
const claude = { ...ben, principal: 'agent', actorKeyId: 'key', actorLabel: 'Claude' } as const;
const others = [{ id: 'ada', name: 'Ada' }];

test('a user is not a former member before the members are loaded or while active', () => {
  assert.equal(whoOf(ben, [...others, { id: 'ben', name: 'Ben' }]).name, 'Ben');
  assert.equal(whoOf(ben, others).name, 'Former member');
  assert.equal(whoOf(ben, []).name, 'Someone');
  assert.equal(whoNow(ben, others).name, 'Someone');
  assert.equal(whoNow(ben, [...others, { id: 'ben', name: 'Ben' }]).name, 'Ben');
  assert.equal(whoNow(claude, []).name, 'Claude (agent)');
});
