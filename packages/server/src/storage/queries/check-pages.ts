import type { Finding } from '../../service/ports/checks.ts';
import type { RulePart } from './check-rules.ts';
import type { Executor, SqlValue } from './executor.ts';
import type { QueryDialect } from './query-dialect.ts';

export interface AskedPages {
  readonly dialect: QueryDialect;
  readonly pageRows: number;
  /** Limits the check to one workspace. */
  readonly workspaceId: string | undefined;
}

/** SQL and the values of its question marks. */
interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/**
 * Checks a rule on a table page by page, in key order: one statement finds the end of a page, and another the rows in
 * it that break the rule. The table must not change in between, so all reads must be from one snapshot.
 */
export async function* askInPages(
  executor: Executor,
  { over, sql }: RulePart,
  { pageRows, workspaceId, dialect }: AskedPages,
): AsyncGenerator<readonly Finding[]> {
  const key = over.key.map((column) => (typeof column === 'string' ? column : column(dialect)));
  const columns = key.join(', ');
  const { sharesKey = false } = over;
  const marks = key.map(() => '?').join(', ');
  const ofWorkspace: readonly Condition[] =
    workspaceId === undefined ? [] : [{ sql: 'workspace_id = ?', values: [workspaceId] }];
  // In other tables, only the rows themselves tell their workspace.
  const within = key[0] === 'workspace_id' ? ofWorkspace : [];
  let after: readonly SqlValue[] | null = null;
  for (;;) {
    const beyond: readonly Condition[] =
      after === null ? within : [...within, { sql: `(${columns}) > (${marks})`, values: after }];
    const end = where(beyond);
    const { rows } = await executor.once(
      `select ${columns} from ${over.table} ${end.sql} order by ${columns} limit 1 offset ${pageRows - 1}`,
      end.values,
    );
    const [last] = rows;
    // The values are those of key columns: texts and numbers.
    const until = last === undefined ? null : key.map((column) => last[column] as SqlValue);
    // With the same limit, PostgreSQL uses the key's index even without statistics of the table.
    const page =
      sharesKey && until !== null
        ? where([...beyond, { sql: `(${columns}) <= (${marks})`, values: until }])
        : end;
    const limit = sharesKey ? '' : `limit ${pageRows}`;
    const asked = where(ofWorkspace);
    const found = await executor.once(
      `select * from (${sql(`(select * from ${over.table} ${page.sql} order by ${columns} ${limit})`, dialect)}) found ${asked.sql}`,
      [...page.values, ...asked.values],
    );
    yield found.rows.map(({ workspace_id, subject }) => ({
      workspaceId: workspace_id === null ? null : String(workspace_id),
      subject: String(subject),
    }));
    if (until === null) return;
    after = until;
    await executor.breathe();
  }
}

function where(conditions: readonly Condition[]): Condition {
  if (conditions.length === 0) return { sql: '', values: [] };
  return {
    sql: `where ${conditions.map((condition) => condition.sql).join(' and ')}`,
    values: conditions.flatMap(({ values }) => values),
  };
}
