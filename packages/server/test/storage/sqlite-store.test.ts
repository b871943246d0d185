import { metadataStoreSuite } from './metadata-store-suite.ts';
import { openTemporaryStore } from './support/open-temporary-store.ts';

metadataStoreSuite('SQLite store', openTemporaryStore);
