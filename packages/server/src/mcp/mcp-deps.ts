import type { Anchors } from '../service/comments/anchors.ts';
import type { PathIndexes } from '../service/search/path-index-cache.ts';
import type { ServiceDeps } from '../service/service-deps.ts';
import type { ShareKeys } from '../service/shares/share-keys.ts';
import type { ViewCounter } from '../service/shares/view-counter.ts';
import type { ThemeCleaner } from '../service/themes/theme-cleaner.ts';

/** What the tools are given. Addresses have no trailing slash. */
export interface McpDeps {
  readonly service: ServiceDeps & {
    readonly themes: ThemeCleaner;
    readonly pathIndexes: PathIndexes;
    readonly anchors: Anchors;
    readonly shareKeys: ShareKeys;
    readonly shareViews: ViewCounter;
  };
  readonly baseUrl: string;
  readonly appUrl: string;
}
