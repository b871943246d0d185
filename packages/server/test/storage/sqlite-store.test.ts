import { joinSqliteStore } from '../../src/storage/sqlite/open-sqlite-store.ts';
import { metadataStoreSuite } from './metadata-store-suite.ts';
import { openTemporaryStore } from './support/open-temporary-store.ts';

metadataStoreSuite('SQLite store', openTemporaryStore);

metadataStoreSuite('SQLite store that joined another', async () => {
  const opened = await openTemporaryStore();
  const { file } = opened;
  const store = joinSqliteStore({
    file,
    port: opened.store.letJoin(),
    onFatal: (error) => {
      throw error;
    },
  });
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
});
