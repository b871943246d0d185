import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';

/** Reads the contents and the size of the index of contents. */
export interface IndexLocation {
  /** The number of contents of a workspace; one that is shared and private counts twice. */
  readonly contents: (workspaceId: string) => Promise<number>;
  readonly bytes: () => Promise<number>;
}

/** The service creates the file when it first uses the index. */
export function indexLocationInFile(file: string): IndexLocation & AsyncDisposable {
  let db: DatabaseSync | null = null;
  const read = (sql: string, ...values: readonly string[]): number => {
    if (db === null && !existsSync(file)) return 0;
    db ??= new DatabaseSync(file, { readOnly: true, timeout: 5000 });
    if (db.prepare("select 1 from sqlite_schema where name = 'space'").get() === undefined) return 0;
    return Number(db.prepare(sql).get(...values)?.number ?? 0);
  };
  return {
    contents: async (workspaceId) =>
      read(
        'select count(*) as number from entry where space = (select number from space where workspace_id = ?)',
        workspaceId,
      ),
    bytes: async () =>
      read('select page_count * page_size as number from pragma_page_count, pragma_page_size'),
    async [Symbol.asyncDispose]() {
      db?.close();
    },
  };
}

export async function indexLocationInDatabase(url: string): Promise<IndexLocation & AsyncDisposable> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const read = async (text: string, ...values: readonly string[]): Promise<number> => {
    const { rows } = await client.query({ text, values: [...values] });
    return Number(rows[0]?.number ?? 0);
  };
  return {
    contents: (workspaceId) =>
      read('select count(*) as number from word_index_entry where workspace_id = $1', workspaceId),
    bytes: () =>
      read(
        `select pg_total_relation_size('word_index_list') + pg_total_relation_size('word_index_entry') as number`,
      ),
    [Symbol.asyncDispose]: () => client.end(),
  };
}
