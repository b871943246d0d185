import type {
  ContentFault,
  QuarantinedContent,
  ScrubReader,
  ScrubState,
  ScrubWriter,
} from '../../service/ports/scrub.ts';
import type { Executor } from './executor.ts';

const whole = 'workspace_id, content_hash, size_bytes, bytes, generation, created_at';
const notRepaired = `not exists (select 1 from blob where blob.workspace_id = quarantined_content.workspace_id
  and blob.content_hash = quarantined_content.content_hash)`;

const neverRead: ScrubState = {
  startedAt: null,
  after: { workspaceId: '', contentHash: '' },
  contents: 0,
  bytes: 0,
  wrong: 0,
  verifiedSince: null,
};

const numberOrNull = (value: unknown) => (value === null ? null : Number(value));

export function createScrubReader(executor: Executor): ScrubReader {
  return {
    async state() {
      const { rows } = await executor.once('select * from scrub_state where id = 1', []);
      const [row] = rows;
      if (row === undefined) return neverRead;
      return {
        startedAt: numberOrNull(row.started_at),
        after: { workspaceId: String(row.after_workspace_id), contentHash: String(row.after_content_hash) },
        contents: Number(row.contents),
        bytes: Number(row.bytes),
        wrong: Number(row.wrong),
        verifiedSince: numberOrNull(row.verified_since),
      };
    },
    async quarantinedPage({ after, limit }) {
      const { rows } = await executor.once(
        `select ${whole}, fault, found_at from quarantined_content
          where ${notRepaired} and (workspace_id, content_hash) > (?, ?)
          order by workspace_id, content_hash limit ${limit}`,
        [after.workspaceId, after.contentHash],
      );
      return rows.map(
        (row): QuarantinedContent => ({
          workspaceId: String(row.workspace_id),
          // The columns of this statement, as they were written.
          contentHash: row.content_hash as QuarantinedContent['contentHash'],
          sizeBytes: Number(row.size_bytes),
          bytes: row.bytes as Uint8Array | null,
          generation: row.generation === null ? null : String(row.generation),
          fault: row.fault as ContentFault,
          foundAt: Number(row.found_at),
        }),
      );
    },
    async figures() {
      const { rows } = await executor.once(
        `select (select count(*) from quarantined_content where ${notRepaired}) as quarantined,
          (select coalesce(sum(used_bytes + history_bytes), 0) from workspace_counter) as kept_bytes,
          (select min(created_at) from workspace) as oldest_at`,
        [],
      );
      const [row] = rows;
      return {
        quarantined: Number(row?.quarantined ?? 0),
        keptBytes: Number(row?.kept_bytes ?? 0),
        oldestAt: numberOrNull(row?.oldest_at ?? null),
      };
    },
  };
}

export function createScrubWriter(executor: Executor): ScrubWriter {
  const changesOne = async (...statement: Parameters<Executor['once']>) =>
    (await executor.once(...statement)).changedRows > 0;
  return {
    async takeScrub({ holder, now, heldUntil }) {
      await executor.once(
        `insert into scrub_state
          (id, after_workspace_id, after_content_hash, contents, bytes, wrong, held_until)
          values (1, '', '', 0, 0, 0, 0) on conflict (id) do nothing`,
        [],
      );
      return await changesOne(
        `update scrub_state set holder = ?, held_until = ?
          where id = 1 and (holder is null or holder = ? or held_until <= ? or held_until > ?)`,
        [holder, heldUntil, holder, now, heldUntil + (heldUntil - now)],
      );
    },
    noteScrub(holder, { startedAt, after, contents, bytes, wrong, verifiedSince }: ScrubState) {
      return changesOne(
        `update scrub_state set started_at = ?, after_workspace_id = ?, after_content_hash = ?,
          contents = ?, bytes = ?, wrong = ?, verified_since = ? where id = 1 and holder = ?`,
        [startedAt, after.workspaceId, after.contentHash, contents, bytes, wrong, verifiedSince, holder],
      );
    },
    async quarantine({ workspaceId, contentHash, generation }, { fault, foundAt }) {
      const where = `workspace_id = ? and content_hash = ? and ${generation === null ? 'generation is null' : 'generation = ?'}`;
      const content = [workspaceId, contentHash, ...(generation === null ? [] : [generation])];
      const copied = await changesOne(
        `insert into quarantined_content (${whole}, fault, found_at)
          select ${whole}, '${fault}', ${foundAt} from blob where ${where}
          on conflict (workspace_id, content_hash, found_at) do nothing`,
        content,
      );
      return copied && (await changesOne(`delete from blob where ${where}`, content));
    },
    async release({ workspaceId, contentHash, foundAt }) {
      const which = [workspaceId, contentHash, foundAt];
      const where = 'workspace_id = ? and content_hash = ? and found_at = ?';
      await executor.once(
        `insert into blob (${whole}) select ${whole} from quarantined_content where ${where}
          on conflict (workspace_id, content_hash) do nothing`,
        which,
      );
      await executor.once(`delete from quarantined_content where ${where}`, which);
    },
  };
}
