import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type DeviceCodeState,
  decidePoll,
  decideReview,
  type PollDecision,
  type ReviewDecision,
} from '@stoa/core';

const now = 1_000_000;
const later = now + 60_000;

interface Case {
  readonly state: DeviceCodeState;
  readonly expiresAt: number;
  readonly lastPolledAt: number | null;
  readonly comesTo: PollDecision;
}

const cases: readonly Case[] = [
  { state: 'pending', expiresAt: later, lastPolledAt: null, comesTo: 'pending' },
  { state: 'pending', expiresAt: later, lastPolledAt: now - 5000, comesTo: 'pending' },
  { state: 'pending', expiresAt: later, lastPolledAt: now - 4999, comesTo: 'slow_down' },
  { state: 'pending', expiresAt: now + 1, lastPolledAt: null, comesTo: 'pending' },
  { state: 'pending', expiresAt: now, lastPolledAt: now, comesTo: 'expired' },
  { state: 'approved', expiresAt: later, lastPolledAt: null, comesTo: 'deliver' },
  { state: 'approved', expiresAt: later, lastPolledAt: now, comesTo: 'slow_down' },
  { state: 'approved', expiresAt: now, lastPolledAt: null, comesTo: 'expired' },
  { state: 'denied', expiresAt: later, lastPolledAt: now, comesTo: 'denied' },
  { state: 'denied', expiresAt: now, lastPolledAt: null, comesTo: 'expired' },
  { state: 'consumed', expiresAt: later, lastPolledAt: now, comesTo: 'consumed' },
  { state: 'consumed', expiresAt: now, lastPolledAt: now, comesTo: 'consumed' },
];

for (const { comesTo, ...code } of cases) {
  const polled = code.lastPolledAt === null ? 'never polled' : `polled ${now - code.lastPolledAt} ms ago`;
  test(`a poll of a code that is ${code.state}, ${code.expiresAt - now} ms from its end and ${polled}: ${comesTo}`, () => {
    assert.equal(decidePoll(code, now), comesTo);
  });
}

test('a code that another user claimed is unknown in every state', () => {
  for (const state of ['pending', 'approved', 'denied', 'consumed'] as const) {
    for (const expiresAt of [later, now]) {
      const code = { state, expiresAt, lastPolledAt: null, claimedBy: 'ada' };
      assert.equal(decideReview(code, 'eve', now), 'unknown');
    }
  }
  assert.equal(decideReview(null, 'eve', now), 'unknown');
});

test('the state of a code is visible to its user, and to every user before it is claimed', () => {
  const found: readonly [DeviceCodeState, number, ReviewDecision][] = [
    ['pending', later, 'pending'],
    ['pending', now, 'expired'],
    ['approved', later, 'approved'],
    ['approved', now, 'expired'],
    ['denied', later, 'denied'],
    ['consumed', now, 'consumed'],
  ];
  for (const [state, expiresAt, expected] of found) {
    for (const claimedBy of ['ada', null]) {
      assert.equal(decideReview({ state, expiresAt, lastPolledAt: now, claimedBy }, 'ada', now), expected);
    }
  }
});
