import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';

/** Reads from the index of contents how far it has followed a workspace's feed. */
export interface IndexLocation {
  readonly seq: (workspaceId: string) => Promise<number>;
}

/** The service creates the file when it indexes a content for the first time. */
export function indexLocationInFile(file: string): IndexLocation & AsyncDisposable {
  let db: DatabaseSync | null = null;
  return {
    async seq(workspaceId) {
      if (db === null && !existsSync(file)) return 0;
      db ??= new DatabaseSync(file, { readOnly: true, timeout: 5000 });
      if (db.prepare("select 1 from sqlite_schema where name = 'space'").get() === undefined) return 0;
      return Number(db.prepare('select seq from space where workspace_id = ?').get(workspaceId)?.seq ?? 0);
    },
    async [Symbol.asyncDispose]() {
      db?.close();
    },
  };
}

export async function indexLocationInDatabase(url: string): Promise<IndexLocation & AsyncDisposable> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return {
    async seq(workspaceId) {
      const text = 'select seq from content_index_place where workspace_id = $1';
      const { rows } = await client.query({ text, values: [workspaceId] });
      return Number(rows[0]?.seq ?? 0);
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}
