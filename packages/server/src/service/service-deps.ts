import type { PlanCatalog } from './plans.ts';
import type { BlobStore } from './ports/blob-store.ts';
import type { Clock, Ids } from './ports/environment.ts';
import type { MetadataStore } from './ports/metadata-store.ts';

/** What every use case may reach. Picked once, in `create-deps.ts`. */
export interface ServiceDeps {
  readonly store: MetadataStore;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly plans: PlanCatalog;
  /** Whether a new workspace is given its README.md and AGENTS.md. */
  readonly seedWorkspaces: boolean;
}
