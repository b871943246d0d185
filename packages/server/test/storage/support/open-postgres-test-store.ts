import { unlimitedPlan } from '../../../src/config/plans-file.ts';
import type { MetadataStore } from '../../../src/service/ports/metadata-store.ts';
import {
  openPostgresStore,
  type PostgresStoreOptions,
} from '../../../src/storage/postgres/open-postgres-store.ts';
import { storeScripts } from './store-scripts.ts';

export interface PostgresTestStore extends AsyncDisposable {
  readonly store: MetadataStore;
  readonly fatalErrors: readonly Error[];
  readonly problems: readonly string[];
}

/** A store with the scripts of these tests in the database at `url`. */
export async function openPostgresTestStore(
  url: string,
  options: Partial<PostgresStoreOptions> = {},
): Promise<PostgresTestStore> {
  const fatalErrors: Error[] = [];
  const problems: string[] = [];
  const store = await openPostgresStore({
    url,
    plans: { defaultPlanId: unlimitedPlan.id, plans: [unlimitedPlan], maxFileBytes: 1_000_000 },
    scripts: storeScripts,
    onFatal: (error) => fatalErrors.push(error),
    reportProblem: (message, cause) => problems.push(`${message}: ${String(cause)}`),
    ...options,
  });
  return { store, fatalErrors, problems, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}
