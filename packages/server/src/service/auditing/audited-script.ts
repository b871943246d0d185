// docs/decisions/0030-audit-log.md
import type { AuditAction, WorkspacePath } from '@stoa/core';
import type { AuditOrigin, AuditRow } from '../ports/audit.ts';
import type { Script, ScriptRun } from '../ports/script.ts';
import type { Transaction } from '../ports/transaction.ts';
import { currentOrigin } from './origin.ts';

/**
 * An audit entry of a script. Never contains a secret: no token, no password, no hash of either, no contents. The
 * origin of the command adds the actor and the address.
 */
export interface AuditNote {
  readonly action: AuditAction;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Absent: not about a single workspace. */
  readonly workspaceId?: string | null;
  /** User that the entry is about. */
  readonly personId?: string | null;
  /** The actor, where the request has none yet: a user who signs in. */
  readonly byUserId?: string;
  /** The key, invite or share link that the entry is about. */
  readonly targetId?: string;
  readonly targetName?: string;
  /** With the only user who may see it at this moment; null: every member. */
  readonly path?: { readonly path: WorkspacePath; readonly ownerId: string | null };
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
}

/** A transaction that collects audit entries. */
export interface AuditedTransaction extends Transaction {
  /**
   * Adds an audit entry, which is written after the script has ended and before the commit. A rejected script writes
   * none.
   */
  noteAudit(note: AuditNote): void;
}

/**
 * Defines a script that changes rights. Only this function writes audit rows, in the transaction of the change: neither
 * exists without the other.
 */
export function defineAuditedScript<Command, Outcome>(
  name: string,
  run: (tx: AuditedTransaction, command: Command, context: ScriptRun) => Promise<Outcome>,
): Script<Command, Outcome> {
  return {
    name,
    originOf: currentOrigin,
    async run(tx, command, context) {
      const notes: AuditNote[] = [];
      const outcome = await run({ ...tx, noteAudit: (note) => void notes.push(note) }, command, context);
      for (const [at, note] of notes.entries()) await writeNote(tx, note, at, context);
      return outcome;
    },
  };
}

async function writeNote(
  tx: Transaction,
  note: AuditNote,
  index: number,
  { origin }: ScriptRun,
): Promise<void> {
  if (origin === null) throw new Error('an audited script was run without an origin');
  await tx.write.insertAuditEntry(auditRow(note, index, origin));
}

/** @param index of the entry among those of its origin */
export function auditRow(note: AuditNote, index: number, origin: AuditOrigin): AuditRow {
  const by = note.byUserId;
  const actor =
    by === undefined
      ? origin.actor
      : ({ principal: 'human', actorId: by, actorKeyId: null, actorLabel: null } as const);
  return {
    id: `${origin.id}_${String(index).padStart(4, '0')}`,
    createdAt: note.at,
    action: note.action,
    workspaceId: note.workspaceId ?? null,
    principal: actor?.principal ?? null,
    actorId: actor?.actorId ?? null,
    actorKeyId: actor?.actorKeyId ?? null,
    actorLabel: actor?.actorLabel ?? null,
    address: origin.address,
    requestId: origin.requestId,
    personId: note.personId ?? null,
    targetId: note.targetId ?? null,
    targetName: note.targetName ?? null,
    path: note.path?.path ?? null,
    pathOwnerId: note.path?.ownerId ?? null,
    details: JSON.stringify(note.details ?? {}),
  };
}
