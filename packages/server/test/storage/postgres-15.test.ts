import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { type PostgresServer, startPostgres } from '../../../../tests/support/postgres.ts';
import { findPostgres15, postgres15Programs } from '../../../../tests/support/postgres-15.ts';
import { metadataStoreSuite } from './metadata-store-suite.ts';
import { openPostgresTestStore } from './support/open-postgres-test-store.ts';

const name = 'the oldest PostgreSQL that is promised';
const found = await findPostgres15();
if (found.kind === 'missing') {
  it(name, { skip: found.reason });
} else {
  describe(name, () => {
    let server: PostgresServer;
    before(async () => {
      server = await startPostgres([], postgres15Programs);
    });
    after(() => server[Symbol.asyncDispose]());

    it('is 15', async () => {
      const client = new Client({ connectionString: server.url('postgres') });
      await client.connect();
      const { rows } = await client.query({ text: 'show server_version', values: [] });
      await client.end();
      assert.match(String(rows[0]?.server_version), /^15\./);
    });

    metadataStoreSuite('PostgreSQL 15 store', async () =>
      openPostgresTestStore(await server.createDatabase()),
    );
  });
}
