// docs/speed.md
// docs/decisions/0015-commit-marks.md
import type { Script, ScriptContext } from '../../service/ports/script.ts';
import type { Transaction } from '../../service/ports/transaction.ts';
import { type QueuedScript, rejectedResult, type ScriptResult } from '../batches.ts';
import { createTransaction } from '../queries/create-transaction.ts';
import type { Executor } from '../queries/executor.ts';
import type { Queries } from '../queries/queries.ts';
import { shareReads } from '../shared-reads.ts';
import { commitText } from './commit-attempt.ts';
import type { Connection } from './connection.ts';
import { lockMsMax } from './open-session.ts';
import { PostgresError } from './postgres-error.ts';
import { createPostgresExecutor } from './postgres-executor.ts';
import { type Elsewhere, type QueuedBatch, type QueueName, sharedQueue } from './workspace-queues.ts';

export interface Attempt {
  readonly queueName: QueueName;
  /** No lock is waited for beyond its deadline (of `performance.now()`). */
  readonly batch: QueuedBatch;
  readonly attemptId: string;
}

export interface ScriptsAndQueries {
  readonly queries: Queries;
  readonly byName: ReadonlyMap<string, Script<never, unknown>>;
  readonly context: ScriptContext;
}

interface Outcomes {
  readonly results: readonly (ScriptResult | Elsewhere)[];
  readonly changedWorkspaces: readonly string[];
}

export type TransactionEnd =
  | (Outcomes & { readonly kind: 'committed' })
  /** The commit was sent, and no response came. */
  | (Outcomes & { readonly kind: 'unanswered' })
  | { readonly kind: 'rolled_back'; readonly reason: 'busy' | 'storage_full' | 'unreachable' };

/** The script locks a workspace, and must run in a queue that does so before any read. */
class LocksWorkspace extends Error {
  readonly workspaceId: string;
  constructor(workspaceId: string) {
    super(`it changes the workspace ${workspaceId}`);
    this.workspaceId = workspaceId;
  }
}

/**
 * Runs the scripts of one queue in one transaction, each in its own savepoint.
 *
 * In a workspace's queue, the workspace's row is locked first, so that all its changes are serialised on all nodes, and
 * each statement sees earlier commits (read committed). Scripts without a workspace have no such row, and run as
 * serializable instead.
 *
 * While a batch waits for a row that another node holds, more scripts join its queue: once its first scripts have run,
 * it includes those. Otherwise each node would queue for the lock again.
 */
export async function runTransaction(
  connection: Connection,
  { queueName, batch, attemptId }: Attempt,
  { queries, byName, context }: ScriptsAndQueries,
): Promise<TransactionEnd> {
  const { scripts, giveUpAt } = batch;
  let seqTakenIn = new Set<string>();
  const executor = createPostgresExecutor(connection);
  const onSeqTaken = (workspaceId: string) => void seqTakenIn.add(workspaceId);
  const whole = createTransaction(executor, queries, onSeqTaken);
  const begun = begin(connection, queueName, whole, giveUpAt);
  // Awaited below, after the first script has ended.
  begun.catch(() => undefined);
  const { tx: behind, forget } = shareReads(
    createTransaction(executeBehind(begun, executor), queries, onSeqTaken),
  );

  const runScript = async ({
    script: name,
    command,
    origin,
  }: QueuedScript): Promise<ScriptResult | Elsewhere> => {
    seqTakenIn = new Set();
    const { tx, sent } = queueName === sharedQueue ? withoutWorkspaces(behind) : knowingSeqs(behind);
    try {
      const script = byName.get(name);
      if (script === undefined) throw new Error(`no script is named ${name}`);
      // The use case that sent the command under this name was typed by the script itself.
      const outcome = await script
        .run(tx, command as never, { ...context, origin: origin ?? null })
        .finally(sent);
      return { kind: 'done', outcome };
    } catch (error) {
      seqTakenIn = new Set();
      if (error instanceof LocksWorkspace) return { kind: 'elsewhere', queueName: error.workspaceId };
      if (!(error instanceof PostgresError)) return rejectedResult(error);
      if (error.kind === 'statement') return rejectedResult(error);
      throw error;
    }
  };

  const results: (ScriptResult | Elsewhere)[] = [];
  const changed = new Set<string>();
  try {
    // A savepoint is not awaited on its own: the next statement of the script runs after it.
    const mark = (commands: string) => {
      const marked = scripts.length === 1 ? Promise.resolve(null) : connection.commands(commands);
      marked.catch(() => undefined);
      return marked;
    };
    let marked = mark(firstSavepoint);
    /** @returns false when the workspace does not exist. */
    const runFrom = async (start: number): Promise<boolean> => {
      for (const queued of scripts.slice(start)) {
        const result = await runScript(queued);
        // When the workspace could not be locked, that is the real reason, whatever error the script has.
        if (!(await begun)) return false;
        // When the savepoint failed, that is the real reason, whatever error the script has.
        await marked;
        results.push(result);
        for (const workspaceId of seqTakenIn) changed.add(workspaceId);
        if (result.kind !== 'done') forget();
        // The savepoint survives a rollback to it, and the next script starts from it.
        marked = mark(result.kind === 'done' ? nextSavepoint : 'rollback to script');
      }
      return true;
    };
    const first = scripts.length;
    if (!(await runFrom(0))) {
      await marked;
      await connection.commands('rollback');
      const elsewhere = { kind: 'elsewhere', queueName: sharedQueue } as const;
      return { kind: 'committed', results: scripts.map(() => elsewhere), changedWorkspaces: [] };
    }
    if (queueName !== sharedQueue && results.some(({ kind }) => kind === 'done') && batch.grow() > 0) {
      // The access of a caller can have changed between the first scripts and these.
      forget();
      if (first === 1) marked = mark(firstSavepoint);
      await runFrom(first);
    }
    await marked;
    if (results.every(({ kind }) => kind !== 'done')) {
      await connection.commands('rollback');
      return { kind: 'committed', results, changedWorkspaces: [] };
    }
  } catch (error) {
    return await rolledBack(connection, error);
  }
  const outcomes = { results, changedWorkspaces: [...changed] };
  try {
    const { command } = await connection.commands(commitText(attemptId));
    if (command !== 'COMMIT') throw new Error(`a commit ended as ${command}`);
    return { kind: 'committed', ...outcomes };
  } catch (error) {
    if (!(error instanceof PostgresError)) throw error;
    if (error.kind !== 'lost') return await rolledBack(connection, error);
    return { kind: 'unanswered', ...outcomes };
  }
}

const firstSavepoint = 'savepoint script';
const nextSavepoint = `release script; ${firstSavepoint}`;

/** @returns false when the queue's workspace does not exist: then there is no row that serialises its changes. */
async function begin(
  connection: Connection,
  queueName: QueueName,
  tx: Transaction,
  giveUpAt: number,
): Promise<boolean> {
  const leftMs = Math.max(1, Math.ceil(giveUpAt - performance.now()));
  const limit = leftMs < lockMsMax ? `; set local lock_timeout = ${leftMs}` : '';
  if (queueName === sharedQueue) {
    await connection.commands(`begin isolation level serializable${limit}`);
    return true;
  }
  const begun = connection.commands(`begin isolation level read committed${limit}`);
  const [, workspace] = await Promise.all([begun, tx.write.lockWorkspace(queueName)]);
  return workspace !== null;
}

/**
 * Sends the first queries of a script together with the start of the transaction, in one round trip. The server runs
 * them behind the lock, each with the commits until then. A statement that may change something waits until the
 * transaction is known to be open, and so do all later ones.
 * @param begun whether the workspace exists
 */
function executeBehind(begun: Promise<boolean>, executor: Executor): Executor {
  let state: 'asking' | 'waiting' | 'open' = 'asking';
  const opened = begun.then((isThere) => {
    if (!isThere) throw new Error('a script continued without its workspace');
    state = 'open';
  });
  opened.catch(() => undefined);
  const send = async <Result>(sql: string, statement: () => Promise<Result>): Promise<Result> => {
    if (state === 'asking' && !isQuestion.test(sql)) state = 'waiting';
    if (state === 'waiting') await opened;
    return statement();
  };
  return {
    all: (sql, values) => send(sql, () => executor.all(sql, values)),
    get: (sql, values) => send(sql, () => executor.get(sql, values)),
    run: (sql, values) => send(sql, () => executor.run(sql, values)),
    once: (sql, values) => send(sql, () => executor.once(sql, values)),
    stepRows: executor.stepRows,
    breathe: () => executor.breathe(),
  };
}

/** A `with` may contain a change. */
const isQuestion = /^\s*select\b/i;

interface ScriptTransaction {
  readonly tx: Transaction;
  /** Resolves when all statements that were not awaited have run. @throws the first failure */
  readonly sent: () => Promise<void>;
}

/**
 * Computes the next `seq` from the row that the script locked, so that it does not wait for the statement that takes
 * it. When that returns another number, the script fails.
 */
function knowingSeqs(tx: Transaction): ScriptTransaction {
  const lastSeqs = new Map<string, number>();
  const takings: Promise<void>[] = [];
  const write: Transaction['write'] = {
    ...tx.write,
    async lockWorkspace(workspaceId) {
      const workspace = await tx.write.lockWorkspace(workspaceId);
      if (workspace !== null) lastSeqs.set(workspaceId, workspace.seq);
      return workspace;
    },
    async takeSeqs(workspaceId, count, growth) {
      const taken = tx.write.takeSeqs(workspaceId, count, growth);
      const last = lastSeqs.get(workspaceId);
      if (last === undefined) return await taken;
      lastSeqs.set(workspaceId, last + count);
      const checked = taken.then((first) => {
        if (first !== last + 1) throw new Error(`seq ${first} was taken in place of ${last + 1}`);
      });
      checked.catch(() => undefined);
      takings.push(checked);
      return last + 1;
    },
  };
  const sent = async () => {
    for (const taking of takings) await taking;
  };
  return { tx: { ...tx, write }, sent };
}

function withoutWorkspaces(tx: Transaction): ScriptTransaction {
  const write: Transaction['write'] = {
    ...tx.write,
    async lockWorkspace(workspaceId) {
      if ((await tx.workspaces.find(workspaceId)) === null) return null;
      throw new LocksWorkspace(workspaceId);
    },
  };
  return { tx: { ...tx, write }, sent: async () => {} };
}

/** @throws errors that are bugs, not states of the database. */
async function rolledBack(connection: Connection, error: unknown): Promise<TransactionEnd> {
  // If this fails, the session is not reused.
  if (!connection.isBroken) await connection.commands('rollback').catch(() => undefined);
  if (!(error instanceof PostgresError)) throw error;
  switch (error.kind) {
    case 'conflict':
    case 'slow':
    case 'exhausted':
      return { kind: 'rolled_back', reason: 'busy' };
    case 'storage_full':
      return { kind: 'rolled_back', reason: 'storage_full' };
    case 'read_only':
    case 'lost':
      return { kind: 'rolled_back', reason: 'unreachable' };
    case 'statement':
      throw error;
  }
}
