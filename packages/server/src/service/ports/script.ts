// docs/decisions/0002-transaction-scripts.md

import type { PlanCatalog } from '../plans.ts';
import type { AuditOrigin } from './audit.ts';
import type { Transaction } from './transaction.ts';

/** What a script may know beside its command. Plain data: it crosses to the writer's thread once, at start. */
export interface ScriptContext {
  readonly plans: PlanCatalog;
}

/** What comes with one command. */
export interface ScriptRun extends ScriptContext {
  /** Null for a script that leaves nothing in the audit log. */
  readonly origin: AuditOrigin | null;
}

/**
 * A transaction script: the body of one atomic change, the same on every database. It is named, because on SQLite the
 * command travels to the writer's thread and the script is looked up there. Command and outcome are plain data.
 * It awaits nothing but `tx`; reading the clock or making ids is the command's part. What it asks of `tx` at once is carried
 * out in the order asked (`together`), and has ended when the script ends.
 */
export interface Script<Command, Outcome> {
  readonly name: string;
  /** Of a script that writes to the audit log (`defineAuditedScript`): says where a command comes from, when it is queued. */
  readonly originOf: (() => AuditOrigin) | null;
  run(tx: Transaction, command: Command, context: ScriptRun): Promise<Outcome>;
}

export function defineScript<Command, Outcome>(
  name: string,
  run: Script<Command, Outcome>['run'],
): Script<Command, Outcome> {
  return { name, originOf: null, run };
}
