import type { AuditRow } from '../ports/audit.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { type AuditNote, auditRow, defineAuditedScript } from './audited-script.ts';
import { currentOrigin } from './origin.ts';

interface OperatorCommand {
  /** As typed: `workspace plan`. */
  readonly name: string;
  readonly operands: readonly string[];
  readonly about: string | null;
}

/** Writes the audit entry of a command before it begins, so that even an interrupted command has one. */
export async function recordOperatorCommand(
  { store, clock }: Pick<ServiceDeps, 'store' | 'clock'>,
  command: OperatorCommand,
): Promise<void> {
  await store.transact(recordOperatorCommandScript, { ...command, now: clock() });
}

export const recordOperatorCommandScript = defineAuditedScript<
  OperatorCommand & { readonly now: number },
  void
>('audit.noteOperatorCommand', async (tx, { name, operands, about, now }) => {
  const workspaceId = about === null ? null : ((await tx.workspaces.find(about))?.id ?? null);
  tx.noteAudit(commandNote(name, { operands: operands.join(' ') }, workspaceId, now));
});

/** Returns the audit row of a command that opens the database exclusively and writes the row with its first change. */
export function operatorCommandRow(
  name: string,
  details: NonNullable<AuditNote['details']>,
  now: number,
): AuditRow {
  return auditRow(commandNote(name, details, null, now), 0, currentOrigin());
}

function commandNote(
  name: string,
  details: NonNullable<AuditNote['details']>,
  workspaceId: string | null,
  at: number,
): AuditNote {
  return { action: 'operator.command', at, workspaceId, targetName: name, details };
}
