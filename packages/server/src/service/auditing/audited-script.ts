// docs/decisions/0074-the-audit-log.md
import type { AuditAction, WorkspacePath } from '@stoa/core';
import type { AuditOrigin, AuditRow } from '../ports/audit.ts';
import type { Script, ScriptRun } from '../ports/script.ts';
import type { Transaction } from '../ports/transaction.ts';
import { currentOrigin } from './origin.ts';

/**
 * What a script did, for the audit log. Never a secret: no token, no password, no hash of either, no contents. Who did it
 * and from where is added by the origin of the command.
 */
export interface AuditNote {
  readonly action: AuditAction;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Left out: it is of no single workspace. */
  readonly workspaceId?: string | null;
  /** Whom it is about. */
  readonly personId?: string | null;
  /** Who did it, where the request itself does not say so: whoever signs in. */
  readonly byUserId?: string;
  /** The key, invite or share link that it is about. */
  readonly targetId?: string;
  readonly targetName?: string;
  /** With who alone may see it at this moment; null: every member. */
  readonly path?: { readonly path: WorkspacePath; readonly ownerId: string | null };
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
}

/** A transaction whose script says what it did. */
export interface AuditedTransaction extends Transaction {
  /** Notes what the script did; written once it has ended, before the commit. What is refused leaves nothing. */
  noteAudit(note: AuditNote): void;
}

/**
 * A script that changes what people may do. Its rows of the audit log are written here and nowhere else, in the transaction
 * of the change: there is no change without its row, and no row without its change.
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

/** @param index of the note among those of its origin */
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
