import { DatabaseError } from 'pg';

/** What an error of the database means for the transaction it happened in. */
export type PostgresFailureKind =
  /** The statement was wrong for its data: only its own operation fails. */
  | 'statement'
  /** Others changed the same rows: nothing was kept, and the same again may succeed. */
  | 'conflict'
  /** A lock or a statement took too long. */
  | 'slow'
  /** The disk is full: nothing was kept, and there may be room later. */
  | 'storage_full'
  /** The server has no memory or no connection left for this. */
  | 'exhausted'
  /** It takes no changes: a session for reading, or a primary that has become a standby. */
  | 'read_only'
  /** The connection cannot be used any more; whether the last statement was run is unknown. */
  | 'lost';

const exact: ReadonlyMap<string, PostgresFailureKind> = new Map([
  ['40001', 'conflict'],
  ['40P01', 'conflict'],
  ['55P03', 'slow'],
  ['57014', 'slow'],
  ['53100', 'storage_full'],
  // "cached plan must not change result type": another process has changed the schema. A new connection plans anew.
  ['0A000', 'lost'],
  ['25006', 'read_only'],
  // It ended an idle transaction, and the connection with it.
  ['25P03', 'lost'],
  ['25P04', 'lost'],
]);
/** Connection exceptions, operator intervention, system errors (I/O), internal errors (corruption included). */
const lostClasses: ReadonlySet<string> = new Set(['08', '57', '58', 'XX']);

/** What a connection throws: the driver's own error is its cause. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError';
  readonly kind: PostgresFailureKind;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.kind = kindOf(cause);
  }
}

/** An error that the server did not answer itself is the connection's fault. */
function kindOf(cause: unknown): PostgresFailureKind {
  // A column held a value that this program cannot read: see the column parsers.
  if (cause instanceof RangeError) return 'statement';
  if (!(cause instanceof DatabaseError) || cause.code === undefined) return 'lost';
  // It has a code for a full disk, and none for a quota: that is an internal error with the system's words.
  if (cause.code === 'XX000' && cause.message.endsWith('Disk quota exceeded')) return 'storage_full';
  const sqlClass = cause.code.slice(0, 2);
  return (
    exact.get(cause.code) ??
    (lostClasses.has(sqlClass) ? 'lost' : sqlClass === '53' ? 'exhausted' : 'statement')
  );
}
