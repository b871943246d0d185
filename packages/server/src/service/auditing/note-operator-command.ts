import type { ServiceDeps } from '../service-deps.ts';
import { defineAuditedScript } from './audited-script.ts';

interface OperatorCommand {
  /** As typed: `workspace plan`. */
  readonly name: string;
  readonly operands: readonly string[];
  /** The workspace that it names. */
  readonly about: string | null;
}

/** Tells of a command before it begins, so that nothing of it is done without its row, also where it is cut off. */
export async function noteOperatorCommand(
  { store, clock }: Pick<ServiceDeps, 'store' | 'clock'>,
  command: OperatorCommand,
): Promise<void> {
  await store.transact(noteOperatorCommandScript, { ...command, now: clock() });
}

export const noteOperatorCommandScript = defineAuditedScript<
  OperatorCommand & { readonly now: number },
  void
>('audit.noteOperatorCommand', async (tx, { name, operands, about, now }) => {
  const workspaceId = about === null ? null : ((await tx.workspaces.find(about))?.id ?? null);
  const details = { operands: operands.join(' ') };
  tx.noteAudit({ action: 'operator.command', at: now, workspaceId, targetName: name, details });
});
