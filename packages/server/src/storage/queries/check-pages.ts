import type { Finding } from '../../service/ports/checks.ts';
import type { RulePart } from './check-rules.ts';
import type { Executor, SqlValue } from './executor.ts';
import type { QueryDialect } from './query-dialect.ts';

export interface AskedPages extends Pick<QueryDialect, 'fileKey'> {
  /** The most rows of a page. */
  readonly pageRows: number;
  /** Asks the rows of one workspace alone. */
  readonly workspaceId: string | undefined;
}

/** A text, and what its question marks stand for. */
interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/**
 * Asks a rule of a table in pages by its key: one statement finds where a page ends, one what breaks the rule in it. The table
 * must not change meanwhile, so the reads are those of one snapshot.
 */
export async function* askInPages(
  executor: Executor,
  { over, sql }: RulePart,
  { pageRows, workspaceId, fileKey }: AskedPages,
): AsyncGenerator<readonly Finding[]> {
  const key = over.key.map((column) => (typeof column === 'string' ? column : column({ fileKey })));
  const columns = key.join(', ');
  const { sharesKey = false } = over;
  const marks = key.map(() => '?').join(', ');
  const ofWorkspace: readonly Condition[] =
    workspaceId === undefined ? [] : [{ sql: 'workspace_id = ?', values: [workspaceId] }];
  // Elsewhere the rows alone say of which workspace they are.
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
    // The same limit, so that PostgreSQL takes the key's index also while it knows nothing of the table yet.
    const page =
      sharesKey && until !== null
        ? where([...beyond, { sql: `(${columns}) <= (${marks})`, values: until }])
        : end;
    const limit = sharesKey ? '' : `limit ${pageRows}`;
    const asked = where(ofWorkspace);
    const found = await executor.once(
      `select * from (${sql(`(select * from ${over.table} ${page.sql} order by ${columns} ${limit})`)}) found ${asked.sql}`,
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
