import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type PostgresServer, startPostgres } from '../../../../tests/support/postgres.ts';
import { migrate } from '../../src/storage/postgres/migrate.ts';
import { numberPlaceholders } from '../../src/storage/postgres/number-placeholders.ts';
import { openSession } from '../../src/storage/postgres/open-session.ts';
import { storedRules } from '../../src/storage/queries/check-rules.ts';
import { compileQueries } from '../../src/storage/queries/queries.ts';
import { postgresDialect } from '../../src/storage/queries/query-dialect.ts';
import { statementsOf } from './support/rule-statements.ts';

/** Queries that sort a handful of rows without an index in that order. All others follow an index. */
const sorted = new Set([
  'changes.lastDepartures',
  'files.incarnationsAt',
  'files.findVersion',
  'files.findListedVersion',
  'workspaces.listOf',
  'members.listOf',
  'keys.listOf',
  'shares.listAt',
  'shares.foldersBelow',
  'shares.versionWithHash',
  // Three parts, each sorted and no longer than the page.
  'files.pageFlagged',
  'files.pageDetailed',
  'nodes.icons',
  'nodes.orders',
]);
/** Read whole on purpose: people are few, and this is for the first sign-up. */
const wholeReads = new Set(['users.count', 'users.firstPage']);
/** Read whole, without an index: codes and links for new passwords end soon, and operators alone ask. */
const wholeTableReads = new Set(['users.endResets', 'users.clearExpiredResets', 'deviceWrites.denyOf']);
/** A seek uses both index columns of a path: its first characters, and the hash of a longer one. */
const samePath = (index: string, column: string) =>
  new RegExp(`${index} on .*\\n.*workspace_id = .*"left"\\(${column}, 512\\).* = .*sha256.*${column}.* = `);
/** The seek that each query must do in a large workspace, so that it costs the same at any row. */
const seeks: ReadonlyMap<string, RegExp> = new Map([
  [
    'changes.scan',
    /change_pkey on change .*\n +Index Cond: \(\(workspace_id = \$\d+\) AND \(seq > \$\d+\)\)/,
  ],
  ['changes.oldestFirst', /change_by_time .*\n.*ROW\(created_at, seq\) > ROW\(\$\d+, \$\d+\)/],
  ['changes.newestFirst', /Backward using change_by_time .*\n.*ROW\(created_at, seq\) < ROW\(\$\d+, \$\d+\)/],
  [
    'changes.firstAfter',
    /Index Only Scan using change_by_time .*\n +Index Cond: \(\(workspace_id = \$\d+\) AND \(created_at > \$\d+\)\)/,
  ],
  ['changes.departure', samePath('change_departures', 'path')],
  ['changes.lastDepartures', samePath('change_departures', 'path')],
  ['files.find', samePath('file_by_path', 'path')],
  ['files.findWithOwner', samePath('file_by_path', 'path')],
  ['files.findWithContent', samePath('file_by_path', 'path')],
  [
    'files.findWithSurroundings',
    /file_by_path on file below.*\n.*workspace_id = \$\d+\) AND .*path, 512.* >= .*path, 512.* <= "left"\(\$\d/,
  ],
  [
    'files.pageFlagged',
    /file_by_path on file .*\n.*workspace_id = \$\d+\) AND .*path, 512.* >= .*path, 512.* <= "left"\((?:\$\d|\(InitPlan \d+\)\.col1)/,
  ],
  [
    'files.pageDetailed',
    /file_by_path on file .*\n.*workspace_id = \$\d+\) AND .*path, 512.* >= .*path, 512.* <= "left"\((?:\$\d|\(InitPlan \d+\)\.col1)/,
  ],
  [
    'files.pageAllFlagged',
    /file_by_path on file .*\n.*workspace_id = .*path, 512.* >= .*path, 512.* <= "left"\(\$\d/,
  ],
  [
    'files.pageAllDetailed',
    /file_by_path on file .*\n.*workspace_id = .*path, 512.* >= .*path, 512.* <= "left"\(\$\d/,
  ],
  [
    'frontMatter.unread',
    /front_matter_unread_pkey on front_matter_unread .*\n.*ROW\(workspace_id, content_hash\) > ROW\(\$\d+, \$\d+\)/,
  ],
  [
    'files.anyBelow',
    /file_by_path on file .*\n.*workspace_id = \$\d+\) AND .*path, 512.* >= .*path, 512.* <= "left"\(\$\d/,
  ],
  ['files.contentsPage', /file_by_path on file .*\n.*workspace_id = .*path, 512.* >= "left"\(\$\d+, 512/],
  ['files.newestCopyOf', samePath('file_version_copies', 'conflict_of')],
  ...[
    'files.incarnationsAt',
    'files.findVersion',
    'files.findListedVersion',
    'shares.versionWithHash',
  ].flatMap((name): [string, RegExp][] => [
    [name, samePath('file_by_path', 'path')],
    [name, samePath('former_incarnation_by_path', 'path')],
  ]),
  ['comments.scanPath', samePath('comment_thread_by_path', 'path')],
  [
    'shares.pageFlagged',
    /Backward using share_by_time on share .*\n.*ROW\(created_at, id\) < ROW\(\$\d+, \$\d+\)/,
  ],
  ['shares.countAt', samePath('share_by_path', 'path')],
  ['blobs.locate', /blob_by_hash on blob .*\n.*content_hash = \$\d+/],
  ['nodes.deciding', samePath('node_privacy_by_path', 'path')],
  ['comments.scanAll', /comment_thread_in_order on .*\n.*\(workspace_id = \$\d+\) AND \(seq > \$\d+/],
  ['comments.entries', /comment_entry_in_order on .*\n.*thread_id = \$\d+/],
  ['keys.findByHash', /api_key_secret_hash_key on api_key .*\n.*secret_hash = \$\d+/],
]);

describe('query plans on PostgreSQL', () => {
  let server: PostgresServer;
  const plans = new Map<string, string>();
  /** Plans for a later page of each check rule. */
  const rulePlans: { readonly name: string; readonly end: string; readonly page: string }[] = [];
  before(async () => {
    // A vacuum at any time would change the plans.
    server = await startPostgres(['autovacuum=off']);
    const session = await openSession(await server.createDatabase(), 'write');
    await migrate(session);
    for (const statements of [largeWorkspace, people, 'analyze']) await session.commands(statements);
    const queries = compileQueries(postgresDialect);
    for (const [group, members] of Object.entries(queries)) {
      for (const [name, query] of Object.entries(members)) {
        if (typeof query !== 'object' || query === null) continue;
        const { rows } = await session.once(`explain (generic_plan) ${query.sql}`, []);
        plans.set(`${group}.${name}`, rows.map((row) => String(row['QUERY PLAN'])).join('\n'));
      }
    }
    const planOf = async ({ sql }: { readonly sql: string }) => {
      const { rows } = await session.once(`explain (generic_plan) ${numberPlaceholders(sql)}`, []);
      return rows.map((row) => String(row['QUERY PLAN'])).join('\n');
    };
    for (const { name, parts } of storedRules) {
      for (const part of parts) {
        // Few rows: for a page of many, all of a table of this size may rightly be read.
        const { end, page } = await statementsOf(part, { ...postgresDialect, pageRows: 10 });
        rulePlans.push({
          name: `${name} of ${part.over.table}`,
          end: await planOf(end),
          page: await planOf(page),
        });
      }
    }
    await session.close();
  });
  after(() => server[Symbol.asyncDispose]());

  it('no table is read from end to end, and none is hashed', () => {
    assert.ok(plans.size > 90, `${plans.size} plans`);
    for (const [name, plan] of plans) {
      if (wholeTableReads.has(name)) continue;
      assert.doesNotMatch(plan, /Seq Scan|Bitmap|Hash Join|Merge Join/, `${name}\n${plan}`);
      // A walk along an index without a condition reads all of it.
      const conditions = plan.match(/Index Cond/g)?.length ?? 0;
      const walks = plan.match(/Index (Only )?Scan/g)?.length ?? 0;
      if (!wholeReads.has(name)) assert.ok(conditions >= walks, `${name}\n${plan}`);
    }
  });

  it('pages come in the order of an index, without sorting', () => {
    for (const [name, plan] of plans) {
      // The records that decide about one path are as many as it has folders.
      // Paths that begin alike for as long as the index goes are put in order, and no others.
      const outer = plan
        .replaceAll(/Sort Key: \(length\(node_privacy(_\d+)?\.path\)\) DESC/g, '')
        .replaceAll(
          /Incremental Sort.*\n *Sort Key: .*"left"\(\S*path, 512\).*, \S*path COLLATE "C"\n *Presorted Key: .*"left"\(\S*path, 512\).*/g,
          '',
        );
      if (!sorted.has(name)) assert.doesNotMatch(outer, /Sort Key/, `${name}\n${plan}`);
    }
  });

  it('a check rule seeks its later pages, and reads no large table whole', () => {
    assert.ok(rulePlans.length > 40, `${rulePlans.length} plans`);
    for (const { name, end, page } of rulePlans) {
      for (const plan of [end, page]) {
        assert.match(plan, /Index Cond: .* >=? /, `${name}\n${plan}`);
        assert.doesNotMatch(plan, largeTableRead, `${name}\n${plan}`);
      }
      // A sort within equal leading columns is allowed; a sort of a whole table is not.
      assert.doesNotMatch(end, /-> {2}Sort /, `${name}\n${end}`);
    }
  });

  for (const [name, table] of Object.entries({
    'files.pageFlagged': 'file',
    'files.pageDetailed': 'file',
    'nodes.icons': 'node_icon',
    'nodes.orders': 'node_order',
  })) {
    it(`${name} seeks to the rows that all members see, and to the viewer's own`, () => {
      const plan = plans.get(name) ?? '';
      const seek = new RegExp(
        `${table}_by_record_owner on ${table} .*\\n.*ROW\\(record_owner, .*path, 512.* >= .*ROW\\(record_owner, .* <= `,
        'g',
      );
      assert.equal(plan.match(seek)?.length, 2, plan);
    });
  }

  for (const [name, seek] of seeks) {
    it(`${name} seeks to its rows`, () => assert.match(plans.get(name) ?? '', seek));
  }
});

/** The others of `largeWorkspace` and of `people` are so small that all of one may rightly be read. */
const largeTableRead =
  /Seq Scan on (file|file_version|former_incarnation|change|blob|front_matter|front_matter_unread|audit_entry)\b/;

const largeWorkspace = `
  insert into workspace (id, name, lapsed, created_at) select 'ws_' || i, 'x', 0, i from generate_series(1, 50) i;
  insert into workspace_counter (workspace_id, seq, used_bytes, used_files, history_bytes, comments, privacy_records)
    select 'ws_' || i, 100000, 0, 0, 0, 0, 50 from generate_series(1, 50) i;
  insert into file select 'ws_' || case when i % 2 = 0 then 1 else i % 50 + 1 end, 'dir' || (i % 100) || '/f' || i, i, 1, 1,
    'text/plain', md5(i::text) from generate_series(1, 20000) i;
  insert into file_version (workspace_id, incarnation, version, path, size_bytes, content_type, content_hash, op, principal,
    actor_id, created_at, conflict_of)
    select workspace_id, incarnation, 1, path, 1, 't', content_hash, 'write', 'human', 'us', incarnation,
    case when incarnation % 50 = 0 then 'dir1/f1' end from file;
  insert into former_incarnation select workspace_id, 'dir' || (incarnation % 100) || '/g' || incarnation, incarnation + 20000
    from file;
  insert into change (workspace_id, seq, path, op, version, principal, actor_id, created_at)
    select workspace_id, incarnation, path, 'write', 1, 'human', 'us', incarnation from file;
  insert into blob (workspace_id, content_hash, size_bytes, generation, created_at)
    select workspace_id, content_hash, 1, 'g' || content_hash, 1 from file;
  insert into front_matter select workspace_id, content_hash, null, 'x', null from file;
  insert into front_matter_unread select workspace_id, content_hash from file;
  insert into audit_entry (id, created_at, action, workspace_id, details) select 'a' || i, i, 'key.made', 'ws_' || i % 50 + 1, '{}'
    from generate_series(1, 20000) i;
  insert into node_privacy select 'ws_1', 'dir' || i, 'folder', 'us', 0 from generate_series(1, 50) i;
  insert into node_icon select workspace_id, path, 'x' from file limit 2000`;

const people = `
  insert into "user" select 'us_' || i, 'Person ' || i, i || '@example.org', 0, null, i::text, i::text
    from generate_series(1, 2000) i;
  insert into account ("id", "accountId", "providerId", "userId", "createdAt", "updatedAt")
    select 'ac_' || i, 'us_' || i, 'credential', 'us_' || i, '', '' from generate_series(1, 2000) i;
  insert into session select 'se_' || i, '', 't' || i, '', '', null, null, 'us_' || i from generate_series(1, 2000) i;
  insert into verification select 've_' || i, 'i' || i, '', '', '', '' from generate_series(1, 2000) i;
  insert into member select 'ws_' || (i % 50 + 1), 'us_' || i, 'member', i, 0 from generate_series(1, 2000) i;
  insert into removed_member select 'ws_' || (i % 50 + 1), 'us_' || i, i from generate_series(1, 2000) i;
  insert into api_key select 'key_' || i, md5(i::text), 'us_' || i, null, 'k', 's', 'agent', 0, null, null, i, null
    from generate_series(1, 2000) i;
  insert into invite select 'in_' || i, md5(i::text), 'ws_' || (i % 50 + 1), 'us_1', i, i, 1, 1
    from generate_series(1, 2000) i;
  insert into device_code select md5(i::text), 'u' || i, 'pending', '', '', i, i, null, null, null, null, '', '', case when i % 2 = 0 then 'x'::bytea end
    from generate_series(1, 2000) i;
  insert into recent_attempt select 'b' || i, '[]', i from generate_series(1, 2000) i;
  insert into rate_limit select 'b' || i, i, i, 1 from generate_series(1, 2000) i;
  insert into share select 'sh_' || i, 'ws_' || (i % 50 + 1), 'p' || i, 'file', 'link', md5(i::text), null, null, null, null,
    null, 0, 'us_1', i, 0 from generate_series(1, 2000) i;
  insert into share_view_day select 'ws_' || (i % 50 + 1), i, 1 from generate_series(1, 2000) i;
  insert into comment_thread select 'th_' || i, 'ws_' || (i % 50 + 1), i, 'p' || (i % 20), 'us_1', null, null, null, 'human',
    null, null, i, 1, 'h', 1, 0, 1, '{}', 'text' from generate_series(1, 2000) i;
  insert into comment_entry select 'en_' || i, 'ws_1', 'th_' || (i % 20 + 1), i, 'd' || i, 'human', 'us_1', null, null, i,
    'text' from generate_series(1, 2000) i;
  insert into workspace_image select 'ws_' || i, 'h' || i, 'png', 'x' from generate_series(1, 50) i;
  insert into node_order select workspace_id, path, 1 from file limit 2000;
  insert into commit_attempt select 'at_' || i, 'kept', i from generate_series(1, 2000) i`;
