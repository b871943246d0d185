import { join } from 'node:path';
import { unlimitedPlan } from '../../../src/config/plans-file.ts';
import type { MetadataStore } from '../../../src/service/ports/metadata-store.ts';
import { openSqliteStore } from '../../../src/storage/sqlite/open-sqlite-store.ts';

/** The real store in this directory, with the scripts of the tests beside the server's. */
export async function openTestStore(dataDir: string): Promise<MetadataStore> {
  return await openSqliteStore({
    file: join(dataDir, 'stoa.db'),
    plans: { defaultPlanId: unlimitedPlan.id, plans: [unlimitedPlan], maxFileBytes: 100_000_000 },
    writerUrl: new URL('./test-writer.ts', import.meta.url),
    onFatal: (error) => {
      throw error;
    },
  });
}
