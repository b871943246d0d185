// docs/decisions/0074-the-audit-log.md
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Actor } from '@stoa/core';
import type { AuditOrigin } from '../ports/audit.ts';
import { stampOf } from '../script-steps.ts';

/** A request or an operator command under way. Who acts may be found out on the way. */
export interface Acting {
  actor: Actor | null;
  readonly requestId: string | null;
  /** Asked only when something is written. */
  readonly address: () => string | null;
}

/** Who the feed and the audit log name behind an operator command. */
export const operator: Actor = {
  principal: 'human',
  userId: 'operator',
  keyId: null,
  keyLabel: null,
  userName: 'Operator',
};

/**
 * It follows the calls of a request by itself, because part of them is the sign-in library's, which passes nothing on. Only
 * the audit log reads it: what somebody may do is never decided by it.
 */
const acting = new AsyncLocalStorage<Acting>();

/** Everything that is changed meanwhile comes from there. */
export function actingFrom<Result>(from: Acting, work: () => Promise<Result>): Promise<Result> {
  return acting.run(from, work);
}

/** It is known now who acts. */
export function noteActing(actor: Actor): void {
  const from = acting.getStore();
  if (from !== undefined) from.actor = actor;
}

/** The person or key behind the request, once it is known. */
export function currentActor(): Actor | null {
  return acting.getStore()?.actor ?? null;
}

export function currentOrigin(): AuditOrigin {
  const { actor = null, requestId = null, address = () => null } = acting.getStore() ?? {};
  return {
    id: nextOriginId(),
    actor: actor === null ? null : stampOf(actor),
    address: address(),
    requestId,
  };
}

let last = { at: 0, count: 0 };

/** Entries of one millisecond are read in the order of their ids: each origin's comes after those that were made before it. */
function nextOriginId(): string {
  const at = Math.max(Date.now(), last.at);
  last = { at, count: at === last.at ? last.count + 1 : 0 };
  const place = `${hex(at, 12)}${hex(last.count, 8)}`;
  return `audit_${place}${randomBytes(9).toString('base64url')}`;
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
