import { DatabaseError } from 'pg';

/** Effect of a database error on its transaction. */
export type PostgresFailureKind =
  /** The statement was wrong for its data: only its own operation fails. */
  | 'statement'
  /** Conflict with concurrent changes: nothing was stored, and a retry may succeed. */
  | 'conflict'
  /** A lock or a statement timed out. */
  | 'slow'
  /** The disk is full: nothing was stored, and there may be room later. */
  | 'storage_full'
  /** The server has no free memory or connection for this. */
  | 'exhausted'
  /** The server accepts no changes: a read-only session, or a primary that has become a standby. */
  | 'read_only'
  /** The connection is unusable; whether the last statement ran is unknown. */
  | 'lost';

const exact: ReadonlyMap<string, PostgresFailureKind> = new Map([
  ['40001', 'conflict'],
  ['40P01', 'conflict'],
  ['55P03', 'slow'],
  ['57014', 'slow'],
  ['53100', 'storage_full'],
  // "cached plan must not change result type": another process has changed the schema. A new connection makes new
  // plans.
  ['0A000', 'lost'],
  ['25006', 'read_only'],
  // It ended an idle transaction, and the connection with it.
  ['25P03', 'lost'],
  ['25P04', 'lost'],
]);
/** Connection exceptions, operator intervention, system errors (I/O), internal errors (corruption included). */
const lostClasses: ReadonlySet<string> = new Set(['08', '57', '58', 'XX']);

/** The error type of a connection: the driver's own error is its cause. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError';
  readonly kind: PostgresFailureKind;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.kind = kindOf(cause);
  }
}

/** An error that did not come from the server means a lost connection. */
function kindOf(cause: unknown): PostgresFailureKind {
  // A column held a value that this program cannot read: see the column parsers.
  if (cause instanceof RangeError) return 'statement';
  if (!(cause instanceof DatabaseError) || cause.code === undefined) return 'lost';
  // The server has a code for a full disk but not for a quota, which is an internal error with the system's message.
  if (cause.code === 'XX000' && cause.message.endsWith('Disk quota exceeded')) return 'storage_full';
  const sqlClass = cause.code.slice(0, 2);
  return (
    exact.get(cause.code) ??
    (lostClasses.has(sqlClass) ? 'lost' : sqlClass === '53' ? 'exhausted' : 'statement')
  );
}
