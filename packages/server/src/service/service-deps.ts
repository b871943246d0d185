import type { Semaphore } from '../concurrency/semaphore.ts';
import type { Anchors } from './comments/anchors.ts';
import type { ContentScanner } from './content-search/content-scanner.ts';
import type { IndexedTexts } from './content-search/indexed-texts.ts';
import type { Editing } from './editing/editing.ts';
import type { FeedWaiters } from './feed/feed-waiters.ts';
import type { ContentFrontMatter } from './front-matter/front-matter-reader.ts';
import type { PlanCatalog } from './plans.ts';
import type { BlobStore } from './ports/blob-store.ts';
import type { Clock, Ids } from './ports/environment.ts';
import type { MetadataStore } from './ports/metadata-store.ts';
import type { WordIndex } from './ports/word-index.ts';
import type { CurrentFiles } from './search/current-files.ts';
import type { ShareKeys } from './shares/share-keys.ts';
import type { ViewCounter } from './shares/view-counter.ts';
import type { ThemeCleaner } from './themes/theme-cleaner.ts';

/** Dependencies of the use cases; each picks the ones that it uses. Built once, in `create-deps.ts`. */
export interface ServiceDeps {
  readonly store: MetadataStore;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly plans: PlanCatalog;
  /** Whether a new workspace gets a README.md and an AGENTS.md. */
  readonly seedWorkspaces: boolean;
  /** Limits concurrent downloads of whole workspaces. */
  readonly downloads: Semaphore;
  readonly feedWaiters: FeedWaiters;
  readonly currentFiles: CurrentFiles;
  readonly wordIndex: WordIndex;
  readonly contentScanner: ContentScanner;
  readonly indexedTexts: IndexedTexts;
  readonly themes: ThemeCleaner;
  readonly frontMatter: ContentFrontMatter;
  readonly anchors: Anchors;
  readonly editing: Editing;
  readonly shareKeys: ShareKeys;
  readonly shareViews: ViewCounter;
}
