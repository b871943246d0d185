import { after, before } from 'node:test';
import { type PostgresServer, startPostgres } from '../../../../tests/support/postgres.ts';
import { metadataStoreSuite } from './metadata-store-suite.ts';
import { openPostgresTestStore } from './support/open-postgres-test-store.ts';

let server: PostgresServer;
before(async () => {
  server = await startPostgres();
});
after(() => server[Symbol.asyncDispose]());

metadataStoreSuite('PostgreSQL store', async () => openPostgresTestStore(await server.createDatabase()));
