import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { memberViewer } from '@stoa/core';
import { Client } from 'pg';
import { findPgBouncer, startPgBouncer } from '../../../../tests/support/pgbouncer.ts';
import { type PostgresServer, startPostgres } from '../../../../tests/support/postgres.ts';
import { openPostgresTestStore } from './support/open-postgres-test-store.ts';
import { createStoreDriver, path } from './support/store-driver.ts';

const found = await findPgBouncer();
const unless = found.kind === 'missing' ? { skip: found.reason } : {};

describe('a pooler before PostgreSQL', () => {
  let server: PostgresServer;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server[Symbol.asyncDispose]());

  for (const mode of ['transaction', 'statement'] as const) {
    it(`that lends sessions for one ${mode} is rejected, and left as it was`, unless, async () => {
      await using pooler = await startPgBouncer(await server.createDatabase(), mode);
      await assert.rejects(
        openPostgresTestStore(pooler.url),
        /pooler that lends a session for one transaction only.*name the server itself/,
      );
      const other = new Client({ connectionString: pooler.url });
      await other.connect();
      const { rows } = await other.query({
        text: `select current_setting('enable_seqscan') as seqscan, current_setting('statement_timeout') as timeout,
          (select count(*)::int from information_schema.tables where table_schema = 'public') as tables`,
      });
      await other.end();
      assert.deepEqual(rows, [{ seqscan: 'on', timeout: '0', tables: 0 }]);
    });
  }

  it('that lends whole sessions is as good as the server itself', unless, async () => {
    await using pooler = await startPgBouncer(await server.createDatabase(), 'session');
    await using opened = await openPostgresTestStore(pooler.url);
    const driver = await createStoreDriver(opened.store);
    await Promise.all(Array.from({ length: 50 }, (_, i) => driver.putFile(path(`file ${i}`))));
    const paths = await opened.store.reader.files.page({
      workspaceId: driver.workspaceId,
      viewer: memberViewer('us_a'),
      prefix: '',
      afterPath: null,
      limit: 100,
    });
    assert.equal(paths.length, 50);
  });
});
