// docs/decisions/0030-audit-log.md
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Actor } from '@stoa/core';
import type { AuditOrigin } from '../ports/audit.ts';
import { stampOf } from '../script-steps.ts';

/** The active request or operator command. Its actor may become known later. */
export interface Acting {
  actor: Actor | null;
  readonly requestId: string | null;
  /** Called only when an entry is written. */
  readonly address: () => string | null;
}

/** The actor of operator commands in the feed and the audit log. */
export const operator: Actor = {
  principal: 'human',
  userId: 'operator',
  keyId: null,
  keyLabel: null,
  userName: 'Operator',
};

/**
 * Async context of a request. Part of its calls run inside the sign-in library, which passes no context on. The audit
 * log reads it, and queues that alternate between callers. It never decides about access.
 */
const acting = new AsyncLocalStorage<Acting>();

/** Attributes every change inside `work` to `from`. */
export function actingFrom<Result>(from: Acting, work: () => Promise<Result>): Promise<Result> {
  return acting.run(from, work);
}

export function recordActing(actor: Actor): void {
  const from = acting.getStore();
  if (from !== undefined) from.actor = actor;
}

/** The user or key of the active request, once it is known. */
export function currentActor(): Actor | null {
  return acting.getStore()?.actor ?? null;
}

export function currentAddress(): string | null {
  return acting.getStore()?.address() ?? null;
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

/** Returns ids that sort in the order of creation, also within one millisecond. */
function nextOriginId(): string {
  const at = Math.max(Date.now(), last.at);
  last = { at, count: at === last.at ? last.count + 1 : 0 };
  const location = `${hex(at, 12)}${hex(last.count, 8)}`;
  return `audit_${location}${randomBytes(9).toString('base64url')}`;
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
