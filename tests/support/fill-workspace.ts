import type { ServiceHome } from './service-home.ts';

/** Names the files of the workspace: an SQL expression over `n`, which counts from 0. */
export type PathOfNumber = `'${string}`;

export interface Filling {
  /** The path of the file to copy. */
  readonly copyOf: string;
  readonly count: number;
  readonly paths: PathOfNumber;
}

/**
 * Adds many files to a workspace at once. Each is a copy of an existing file, as if the same writer had made it
 * by one write. Requests would take longer than the test itself.
 */
export async function fillWorkspace(
  home: Pick<ServiceHome, 'changeRows'>,
  workspaceId: string,
  { copyOf, count, paths }: Filling,
): Promise<void> {
  // Ids and paths of tests contain no quotes.
  const rows = `from (with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n + 1 < ${count})
      select n from numbers) numbers
    join workspace_counter counter on counter.workspace_id = '${workspaceId}'
    join file model on model.workspace_id = counter.workspace_id and model.path = '${copyOf}'
    join file_version made on made.workspace_id = model.workspace_id and made.incarnation = model.incarnation
      and made.version = model.version`;
  const content = ['size_bytes', 'content_type', 'content_hash'];
  const maker = ['principal', 'actor_id', 'actor_key_id', 'actor_label', 'created_at'];
  const insert = (table: string, own: Readonly<Record<string, string>>, same: readonly string[]) =>
    home.changeRows(
      `insert into ${table} (workspace_id, path, ${[...Object.keys(own), ...same].join(', ')})
       select model.workspace_id, ${paths}, ${[...Object.values(own), ...same.map((each) => `made.${each}`)].join(', ')} ${rows}`,
    );
  const seq = 'counter.seq + 1 + n';
  await insert('file_version', { incarnation: seq, version: '1', op: "'write'" }, [...content, ...maker]);
  await insert('file', { incarnation: seq, version: '1' }, content);
  await insert('change', { seq, version: '1', op: "'write'" }, ['content_hash', ...maker]);
  await home.changeRows(
    `update workspace_counter set seq = seq + ${count}, used_files = used_files + ${count},
       used_bytes = used_bytes + ${count} * (select size_bytes from file
         where file.workspace_id = workspace_counter.workspace_id and path = '${copyOf}')
     where workspace_id = '${workspaceId}'`,
  );
}
