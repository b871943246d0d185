import { sql } from 'kysely';
import type { AuditQuestion, AuditReader, AuditRow, AuditWriter } from '../../service/ports/audit.ts';
import type { Executor } from './executor.ts';
import { columns, compileQuery, type Placeholders, type StoredOf, type TableOf } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

const entry = columns<AuditRow>()('audit_entry', {
  id: 'id',
  createdAt: 'created_at',
  action: 'action',
  workspaceId: 'workspace_id',
  principal: 'principal',
  actorId: 'actor_id',
  actorKeyId: 'actor_key_id',
  actorLabel: 'actor_label',
  address: 'address',
  requestId: 'request_id',
  personId: 'person_id',
  targetId: 'target_id',
  targetName: 'target_name',
  path: 'path',
  pathOwnerId: 'path_owner_id',
  details: 'details',
});

export type AuditTable = TableOf<typeof entry>;

export type AuditQueries = ReturnType<typeof auditQueries>;

/** Parameters of a page; an absent filter becomes a bound that matches everything. */
type PageParams = {
  readonly workspaceId: string;
  readonly actions: string;
  readonly personId: string;
  readonly since: number;
  readonly until: number;
  readonly afterAt: number;
  readonly afterId: string;
  readonly limit: number;
};

/** The id of the only row of `audit_retention`. */
const onlyId = 1;

export function auditQueries({ db }: QueryDialect) {
  const page = (of: 'a workspace' | 'all', order: AuditQuestion['order']) =>
    compileQuery((given: Placeholders<PageParams>) => {
      const direction = order === 'newest first' ? 'desc' : 'asc';
      const location = sql`(audit_entry.created_at, audit_entry.id)`;
      const after = sql`(${given.afterAt}, ${given.afterId})`;
      const ofAll = db
        .selectFrom('audit_entry')
        .select(entry.selection)
        .where('created_at', '>=', given.since)
        .where('created_at', '<', given.until)
        .where(
          order === 'newest first'
            ? sql<boolean>`${location} < ${after}`
            : sql<boolean>`${location} > ${after}`,
        )
        .where(sql<boolean>`audit_entry.action like ${given.actions}`)
        .where(
          sql<boolean>`${given.personId} in ('', coalesce(audit_entry.actor_id, ' '), coalesce(audit_entry.person_id, ' '))`,
        )
        .orderBy('created_at', direction)
        .orderBy('id', direction)
        .limit(given.limit);
      return of === 'all' ? ofAll : ofAll.where('workspace_id', '=', given.workspaceId);
    });
  return {
    workspaceNewestFirst: page('a workspace', 'newest first'),
    workspaceOldestFirst: page('a workspace', 'oldest first'),
    newestFirst: page('all', 'newest first'),
    oldestFirst: page('all', 'oldest first'),
    insert: compileQuery((row: Placeholders<StoredOf<typeof entry>>) =>
      db.insertInto('audit_entry').values(entry.values(row)),
    ),
    setForgottenBefore: compileQuery(({ before }: Placeholders<{ before: number }>) =>
      db
        .insertInto('audit_retention')
        .values({ id: onlyId, forgotten_before: before })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ forgotten_before: before })),
    ),
    forget: compileQuery(({ before, limit }: Placeholders<{ before: number; limit: number }>) =>
      db
        .deleteFrom('audit_entry')
        .where('id', 'in', (those) =>
          those
            .selectFrom('audit_entry')
            .select('id')
            .where('created_at', '<', before)
            .orderBy('created_at')
            .orderBy('id')
            .limit(limit),
        ),
    ),
  };
}

export function createAuditReader(executor: Executor, queries: AuditQueries): AuditReader {
  return {
    async page({ workspaceId, kind, personId, since, until, order, after, limit }) {
      const isNewestFirst = order === 'newest first';
      const ofWorkspace = isNewestFirst ? queries.workspaceNewestFirst : queries.workspaceOldestFirst;
      const ofAll = isNewestFirst ? queries.newestFirst : queries.oldestFirst;
      return await (workspaceId === null ? ofAll : ofWorkspace).all(executor, {
        workspaceId: workspaceId ?? '',
        actions: kind === null ? '%' : `${kind}.%`,
        personId: personId ?? '',
        since: since ?? 0,
        until: until ?? Number.MAX_SAFE_INTEGER,
        afterAt: after?.createdAt ?? (isNewestFirst ? Number.MAX_SAFE_INTEGER : -1),
        afterId: after?.id ?? '',
        limit,
      });
    },
  };
}

export function createAuditWriter(executor: Executor, queries: AuditQueries): AuditWriter {
  return {
    async insertAuditEntry(row) {
      await queries.insert.run(executor, row);
    },
    async forgetAuditEntries(before, limit) {
      await queries.setForgottenBefore.run(executor, { before });
      return await queries.forget.run(executor, { before, limit });
    },
  };
}
