// docs/decisions/0002-transaction-scripts.md

import type { PlanCatalog } from '../plans.ts';
import type { AuditOrigin } from './audit.ts';
import type { Transaction } from './transaction.ts';

/** Context of every script. Plain data: it crosses to the writer thread once, at start. */
export interface ScriptContext {
  readonly plans: PlanCatalog;
}

export interface ScriptRun extends ScriptContext {
  /** Null for a script that writes no audit entries. */
  readonly origin: AuditOrigin | null;
}

/**
 * A transaction script: the body of one atomic change, the same on every database. It has a name because SQLite sends
 * the command to the writer thread, which looks the script up. Command and outcome are plain data. It awaits only `tx`;
 * the command brings the time and new ids. Concurrent calls of `tx` run in the order of the calls (`together`), and
 * must end before the script ends.
 */
export interface Script<Command, Outcome> {
  readonly name: string;
  /** Of a script that writes audit entries (`defineAuditedScript`): reads the origin of a command when it is queued. */
  readonly originOf: (() => AuditOrigin) | null;
  run(tx: Transaction, command: Command, context: ScriptRun): Promise<Outcome>;
}

export function defineScript<Command, Outcome>(
  name: string,
  run: Script<Command, Outcome>['run'],
): Script<Command, Outcome> {
  return { name, originOf: null, run };
}
