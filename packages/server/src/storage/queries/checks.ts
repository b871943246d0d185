import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type {
  CheckedChange,
  CheckedContent,
  CheckedFile,
  CheckedVersion,
  CheckReader,
  CheckWriter,
  Finding,
} from '../../service/ports/checks.ts';
import { askInPages } from './check-pages.ts';
import { countedUsage, storedRules } from './check-rules.ts';
import type { Executor } from './executor.ts';
import { ownedTables } from './path-keys.ts';
import { compileQuery, type Placeholders } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import type { Tables } from './tables.ts';
import { recordOwnerOf } from './visibility.ts';

export type CheckQueries = ReturnType<typeof checkQueries>;

export function checkQueries(dialect: QueryDialect) {
  const { db, paths, damage, settledMoment } = dialect;
  const compilable = <Row>(statement: RawBuilder<Row>) => ({ compile: () => statement.compile(db) });
  type Page = Placeholders<{ workspaceId: string; limit: number }>;
  return {
    /** Null where the database has no such check. */
    damage: () => damage,
    settledMoment: () => settledMoment,
    dialect: () => dialect,
    changes: compileQuery(({ workspaceId, afterSeq, limit }: Page & Placeholders<{ afterSeq: number }>) =>
      db
        .selectFrom('change')
        .select(['seq', 'path', 'op', 'version', 'content_hash as contentHash'])
        .select(['moved_from as movedFrom', 'conflict_of as conflictOf'])
        .where('workspace_id', '=', workspaceId)
        .where('seq', '>', afterSeq)
        .orderBy('seq')
        .limit(limit),
    ),
    versions: compileQuery(
      ({
        workspaceId,
        incarnation,
        version,
        limit,
      }: Page & Placeholders<{ incarnation: number; version: number }>) =>
        db
          .selectFrom('file_version')
          .select([
            'incarnation',
            'version',
            'path',
            'op',
            'size_bytes as sizeBytes',
            'content_hash as contentHash',
          ])
          .where('workspace_id', '=', workspaceId)
          .where(sql<boolean>`(incarnation, version) > (${incarnation}, ${version})`)
          .orderBy('incarnation')
          .orderBy('version')
          .limit(limit),
    ),
    files: compileQuery(({ workspaceId, afterPath, limit }: Page & Placeholders<{ afterPath: string }>) =>
      db
        .selectFrom('file')
        .select(['path', 'incarnation', 'version', 'size_bytes as sizeBytes', 'content_hash as contentHash'])
        .where('workspace_id', '=', workspaceId)
        .where(paths.compare(sql.ref('path'), '>', afterPath))
        .orderBy(paths.order(sql.ref('path')))
        .limit(limit),
    ),
    sidePaths: compileQuery(({ workspaceId }: Placeholders<{ workspaceId: string }>) =>
      compilable(
        sql<{ path: string }>`${sql.join(
          ['node_icon', 'node_order', 'node_privacy', 'share', 'comment_thread'].map(
            (table) => sql`select path from ${sql.table(table)} where workspace_id = ${workspaceId}`,
          ),
          sql` union `,
        )}`,
      ),
    ),
    counters: compileQuery(({ workspaceId }: Placeholders<{ workspaceId: string }>) =>
      db
        .selectFrom('workspace_counter')
        .select([
          'seq',
          'used_files as usedFiles',
          'used_bytes as usedBytes',
          'history_bytes as historyBytes',
        ])
        .select(['comments', 'privacy_records as privacyRecords'])
        .where('workspace_id', '=', workspaceId),
    ),
    threads: compileQuery(({ workspaceId, afterSeq, limit }: Page & Placeholders<{ afterSeq: number }>) =>
      db
        .selectFrom('comment_thread')
        .select('seq')
        .where('workspace_id', '=', workspaceId)
        .where('seq', '>', afterSeq)
        .orderBy('seq')
        .limit(limit),
    ),
    // No index has the replies of a workspace: they are found by their threads.
    replies: compileQuery(
      ({
        workspaceId,
        fromSeq,
        toSeq,
      }: Placeholders<{ workspaceId: string; fromSeq: number; toSeq: number }>) =>
        db
          .selectFrom('comment_thread')
          .innerJoin('comment_entry', 'comment_entry.thread_id', 'comment_thread.id')
          .select('comment_entry.seq as seq')
          .where('comment_thread.workspace_id', '=', workspaceId)
          .where('comment_thread.seq', '>=', fromSeq)
          .where('comment_thread.seq', '<=', toSeq)
          .whereRef('comment_entry.workspace_id', '=', 'comment_thread.workspace_id'),
    ),
    privateItems: compileQuery(({ workspaceId }: Placeholders<{ workspaceId: string }>) =>
      db
        .selectFrom('node_privacy')
        .select(sql<number>`count(*)`.as('count'))
        .where('workspace_id', '=', workspaceId),
    ),
    contents: contentsPage(db.selectFrom('blob').select(sql<Uint8Array | null>`bytes`.as('bytes'))),
    contentsWithoutBytes: contentsPage(db.selectFrom('blob').select(sql<null>`null`.as('bytes'))),
  };
}

type ContentsPage = Placeholders<{ workspaceId: string; contentHash: string; limit: number }>;

function contentsPage<Row>(blobs: SelectQueryBuilder<Tables, 'blob', Row>) {
  return compileQuery(({ workspaceId, contentHash, limit }: ContentsPage) =>
    blobs
      .select([
        'workspace_id as workspaceId',
        'content_hash as contentHash',
        'size_bytes as sizeBytes',
        'generation',
      ])
      .where(sql<boolean>`(workspace_id, content_hash) > (${workspaceId}, ${contentHash})`)
      .orderBy('workspace_id')
      .orderBy('content_hash')
      .limit(limit),
  );
}

export function createCheckReader(executor: Executor, queries: CheckQueries): CheckReader {
  return {
    rules: storedRules,
    async findings({ name }, { limit, pageRows, workspaceId, onProgress: reported }) {
      const rule = storedRules.find((each) => each.name === name);
      if (rule === undefined) throw new Error(`there is no rule ${name}`);
      const found: Finding[] = [];
      let pages = 0;
      for (const part of rule.parts) {
        for await (const rows of askInPages(executor, part, {
          pageRows,
          workspaceId,
          dialect: queries.dialect(),
        })) {
          found.push(...rows);
          if (found.length >= limit) return found.slice(0, limit);
          pages += 1;
          reported?.(pages * pageRows);
        }
      }
      return found;
    },
    async damage() {
      const statement = queries.damage();
      if (statement === null) return [];
      const { rows } = await executor.once(statement, []);
      return rows.map(({ line }) => String(line));
    },
    async settledMoment() {
      const statement = queries.settledMoment();
      if (statement === null) return null;
      const { rows } = await executor.once(statement, []);
      return String(rows[0]?.moment);
    },
    changesPage: (page) => queries.changes.all(executor, page) as Promise<readonly CheckedChange[]>,
    versionsPage: ({ after, ...page }) =>
      queries.versions.all(executor, { ...page, ...after }) as Promise<readonly CheckedVersion[]>,
    filesPage: (page) => queries.files.all(executor, page) as Promise<readonly CheckedFile[]>,
    counters: (workspaceId) => queries.counters.get(executor, { workspaceId }),
    async commentSeqs({ workspaceId, afterSeq, limit }) {
      const threads = await queries.threads.all(executor, { workspaceId, afterSeq, limit });
      const [first, last] = [threads[0]?.seq, threads.at(-1)?.seq];
      if (first === undefined || last === undefined) return null;
      const replies = await queries.replies.all(executor, { workspaceId, fromSeq: first, toSeq: last });
      return { lastThread: last, seqs: [...threads, ...replies].map(({ seq }) => seq) };
    },
    privateItems: async (workspaceId) =>
      (await queries.privateItems.get(executor, { workspaceId }))?.count ?? 0,
    async sidePaths(workspaceId) {
      return (await queries.sidePaths.all(executor, { workspaceId })).map(({ path }) => path);
    },
    contentsPage: ({ after, limit, withBytes }) =>
      (withBytes ? queries.contents : queries.contentsWithoutBytes).all(executor, {
        ...after,
        limit,
      }) as Promise<readonly CheckedContent[]>,
  };
}

/** Contents in quarantine may return, so they count as stored. */
const notKept = (table: string) => `delete from ${table} where workspace_id = ? and not exists
  (select 1 from blob where blob.workspace_id = ${table}.workspace_id and blob.content_hash = ${table}.content_hash)
  and not exists (select 1 from quarantined_content quarantined
    where quarantined.workspace_id = ${table}.workspace_id and quarantined.content_hash = ${table}.content_hash)`;

const unfounded = [
  notKept('front_matter'),
  notKept('front_matter_unread'),
  `delete from bookmark where workspace_id = ? and (start_seq > head_seq or head_seq >
    (select seq from workspace_counter where workspace_counter.workspace_id = bookmark.workspace_id))`,
  // The right bytes are stored again.
  `delete from quarantined_content where workspace_id = ? and exists (select 1 from blob
    where blob.workspace_id = quarantined_content.workspace_id and blob.content_hash = quarantined_content.content_hash)`,
];

export function createCheckWriter(executor: Executor, queries: CheckQueries): CheckWriter {
  const dialect = queries.dialect();
  const sum = async (statements: readonly string[], workspaceId: string) => {
    let changed = 0;
    for (const sql of statements) changed += (await executor.once(sql, [workspaceId])).changedRows;
    return changed;
  };
  return {
    recount: (workspaceId) =>
      sum(
        [
          ...countedUsage.map(
            ({ counter, counted }) => `update workspace_counter set ${counter} = (${counted})
              where workspace_id = ? and ${counter} <> (${counted})`,
          ),
          ...ownedTables.map(
            (table) => `update ${table} set record_owner = ${recordOwnerOf(dialect, table)}
              where workspace_id = ? and record_owner <> ${recordOwnerOf(dialect, table)}`,
          ),
        ],
        workspaceId,
      ),
    forgetUnfounded: (workspaceId) => sum(unfounded, workspaceId),
  };
}
