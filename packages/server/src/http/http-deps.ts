import type { PlanRecord } from '@stoa/contract';
import type { Logger } from 'pino';
import type { Auth } from '../auth/index.ts';
import type { HttpMetrics } from '../metrics/http-metrics.ts';
import type { FeedWaiters } from '../service/feed/feed-waiters.ts';
import type { PathIndexes } from '../service/search/path-index-cache.ts';
import type { ServiceDeps } from '../service/service-deps.ts';

/** What the HTTP surface is given. Addresses have no trailing slash. */
export interface HttpDeps {
  readonly service: ServiceDeps & { readonly feedWaiters: FeedWaiters; readonly pathIndexes: PathIndexes };
  readonly auth: Auth;
  readonly plans: readonly PlanRecord[];
  readonly baseUrl: string;
  readonly trustedOrigins: readonly string[];
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustProxy: readonly string[];
  readonly logger: Logger;
  readonly metrics: HttpMetrics | null;
}
