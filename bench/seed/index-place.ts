import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';

/** Asks the index of contents itself how far it has followed a workspace's feed. */
export interface IndexPlace {
  readonly seq: (workspaceId: string) => Promise<number>;
}

export function indexPlaceInFile(file: string): IndexPlace & AsyncDisposable {
  const db = new DatabaseSync(file, { readOnly: true });
  const place = db.prepare('select seq from space where workspace_id = ?');
  return {
    seq: async (workspaceId) => Number(place.get(workspaceId)?.seq ?? 0),
    async [Symbol.asyncDispose]() {
      db.close();
    },
  };
}

export async function indexPlaceInDatabase(url: string): Promise<IndexPlace & AsyncDisposable> {
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
