import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { compileQueries } from '../../src/storage/queries/queries.ts';
import { sqliteDialect } from '../../src/storage/queries/query-dialect.ts';
import { migrate } from '../../src/storage/sqlite/migrate.ts';
import { openConnection } from '../../src/storage/sqlite/open-connection.ts';

/** Read whole on purpose: people are few, and codes and links for new passwords end soon. All are for operators or rare. */
const wholeTableReads = new Set([
  'users.firstPage',
  'users.count',
  'users.endResets',
  'users.clearExpiredResets',
  'deviceWrites.denyOf',
]);
/** The seek that each query must do in a large workspace, so that it costs the same at any row. */
const seeks: readonly (readonly [query: string, step: string])[] = [
  ['changes.scan', 'SEARCH change USING PRIMARY KEY (workspace_id=? AND seq>?)'],
  [
    'changes.oldestFirst',
    'SEARCH change USING INDEX change_by_time (workspace_id=? AND (created_at,seq)>(?,?))',
  ],
  [
    'changes.newestFirst',
    'SEARCH change USING INDEX change_by_time (workspace_id=? AND created_at>? AND (created_at,seq)<(?,?))',
  ],
  [
    'changes.firstAfter',
    'SEARCH change USING COVERING INDEX change_by_time (workspace_id=? AND created_at>?)',
  ],
  [
    'changes.departure',
    'SEARCH left USING COVERING INDEX change_departures (workspace_id=? AND path=? AND seq>?)',
  ],
  [
    'changes.lastDepartures',
    'SEARCH left USING COVERING INDEX change_departures (workspace_id=? AND path=? AND seq<?)',
  ],
  [
    'changes.departuresBelow',
    'SEARCH change USING INDEX change_departures (workspace_id=? AND path>? AND path<?)',
  ],
  ['files.pageFlagged', 'SEARCH file USING PRIMARY KEY (workspace_id=? AND path>? AND path<?)'],
  ['files.pageDetailed', 'SEARCH file USING PRIMARY KEY (workspace_id=? AND path>? AND path<?)'],
  ['files.pageAllFlagged', 'SEARCH file USING PRIMARY KEY (workspace_id=? AND path>? AND path<?)'],
  ['files.pageAllDetailed', 'SEARCH file USING PRIMARY KEY (workspace_id=? AND path>? AND path<?)'],
  ...Object.entries({
    'files.pageFlagged': 'file',
    'files.pageDetailed': 'file',
    'nodes.icons': 'node_icon',
    'nodes.orders': 'node_order',
  }).map(([name, table]): [string, string] => [
    name,
    `SEARCH ${table} USING INDEX ${table}_by_record_owner (workspace_id=? AND record_owner=? AND path>? AND path<?)`,
  ]),
  [
    'files.pageDetailed',
    'SEARCH file_version USING PRIMARY KEY (workspace_id=? AND incarnation=? AND version=?)',
  ],
  ['frontMatter.unread', 'SEARCH front_matter_unread USING PRIMARY KEY ((workspace_id,content_hash)>(?,?))'],
  ['files.anyBelow', 'SEARCH file USING PRIMARY KEY (workspace_id=? AND path>? AND path<?)'],
  [
    'files.newestCopyOf',
    'SEARCH copy USING COVERING INDEX file_version_copies (workspace_id=? AND conflict_of=?)',
  ],
  ...[
    'files.incarnationsAt',
    'files.findVersion',
    'files.findListedVersion',
    'shares.versionWithHash',
  ].flatMap((name): [string, string][] => [
    [name, 'SEARCH file USING PRIMARY KEY (workspace_id=? AND path=?)'],
    [name, 'SEARCH former_incarnation USING PRIMARY KEY (workspace_id=? AND path=?)'],
  ]),
  [
    'files.findVersion',
    'SEARCH file_version USING PRIMARY KEY (workspace_id=? AND incarnation=? AND version=?)',
  ],
  ['shares.pageFlagged', 'SEARCH share USING INDEX share_by_time (workspace_id=? AND (created_at,id)<(?,?))'],
  [
    'files.findListedVersion',
    'SEARCH arrival USING PRIMARY KEY (workspace_id=? AND incarnation=? AND version=?)',
  ],
  [
    'files.findListedVersion',
    'SEARCH file_version USING PRIMARY KEY (workspace_id=? AND incarnation=? AND version=?)',
  ],
  ['blobs.locate', 'SEARCH blob USING INDEX blob_by_hash (workspace_id=? AND content_hash=?)'],
  [
    'blobs.referenced',
    'SEARCH blob USING COVERING INDEX blob_by_generation (workspace_id=? AND generation=?)',
  ],
  ['files.findWithOwner', 'SEARCH file USING PRIMARY KEY (workspace_id=? AND path=?) LEFT-JOIN'],
  ['files.findWithOwner', 'SEARCH node_privacy USING PRIMARY KEY (workspace_id=? AND path=?)'],
  ['files.findWithSurroundings', 'SEARCH file USING PRIMARY KEY (workspace_id=? AND path=?) LEFT-JOIN'],
  ['files.findWithSurroundings', 'SEARCH below USING PRIMARY KEY (workspace_id=? AND path>? AND path<?)'],
  [
    'files.findWithContent',
    'SEARCH blob USING INDEX blob_by_hash (workspace_id=? AND content_hash=?) LEFT-JOIN',
  ],
  ['nodes.icons', 'SEARCH node_icon USING PRIMARY KEY (workspace_id=? AND path>? AND path<?)'],
  ['nodes.orders', 'SEARCH node_order USING PRIMARY KEY (workspace_id=? AND path>? AND path<?)'],
  ['nodes.deciding', 'SEARCH node_privacy USING PRIMARY KEY (workspace_id=? AND path=?)'],
  [
    'comments.scanAll',
    'SEARCH comment_thread USING INDEX comment_thread_in_order (workspace_id=? AND seq>?)',
  ],
  [
    'comments.scanPath',
    'SEARCH comment_thread USING INDEX comment_thread_by_path (workspace_id=? AND path=? AND seq>?)',
  ],
  ['comments.entries', 'SEARCH comment_entry USING INDEX comment_entry_in_order (thread_id=?)'],
  ['comments.countEntries', 'SEARCH comment_entry USING COVERING INDEX comment_entry_in_order (thread_id=?)'],
  ['keys.findByHash', 'SEARCH api_key USING INDEX sqlite_autoindex_api_key_2 (secret_hash=?)'],
];

describe('query plans', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-plans-'));
  const db = openConnection(join(folder, 'stoa.db'), 'write');
  migrate(db);
  const queries = compileQueries(sqliteDialect);
  const statements = new Map<string, string>();
  for (const [group, members] of Object.entries(queries)) {
    for (const [name, query] of Object.entries(members)) {
      if (typeof query === 'object') statements.set(`${group}.${name}`, query.sql);
    }
  }
  statements.set('blobs.referenced', queries.blobs.referenced('ws', ['gen']).sql);
  const plans = new Map<string, readonly string[]>();
  for (const [name, sql] of statements) {
    const parameters = Array.from(sql.matchAll(/\?/g), () => 1);
    const rows = db.prepare(`explain query plan ${sql}`).all(...parameters);
    plans.set(
      name,
      rows.map(({ detail }) => String(detail)),
    );
  }
  db.close();
  rmSync(folder, { recursive: true });

  for (const [name, plan] of plans) {
    it(`${name} reads no table from end to end`, () => {
      const scans = plan.filter(
        (step) => step.startsWith('SCAN') && !/^SCAN (CONSTANT ROW|above|stay|lineage|part)$/.test(step),
      );
      assert.deepEqual(scans.length > 0, wholeTableReads.has(name), plan.join('\n'));
    });
  }

  for (const [name, seek] of seeks) {
    it(`${name} seeks to its rows`, () => {
      assert.ok(plans.get(name)?.includes(seek), `${seek} is not in\n${plans.get(name)?.join('\n')}`);
    });
  }

  it('a page from any position needs no sort', () => {
    for (const name of [
      'changes.head',
      'files.find',
      'files.contentsPage',
      'files.changedContents',
      'comments.entries',
      'nodes.page',
      'frontMatter.unread',
    ]) {
      assert.ok(!plans.get(name)?.some((step) => step.includes('TEMP B-TREE')), name);
    }
  });
});
