import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actingFrom, operator } from '../../src/service/auditing/origin.ts';
import { currentParty } from '../../src/service/people/current-party.ts';

const from = (address: string | null, actor: typeof operator | null = null) =>
  actingFrom({ actor, requestId: null, address: () => address }, async () => currentParty());

test('all addresses of a network are one party, until the user is known', async () => {
  assert.equal(await from('2001:db8::1'), await from('2001:db8::2'));
  assert.notEqual(await from('2001:db8::1'), await from('2001:db8:0:1::1'));
  assert.equal(await from('2001:db8::1', operator), operator.userId);
});

test('work outside requests is that of the service', async () => {
  assert.equal(currentParty(), 'service');
  assert.equal(await from(null), 'service');
});
