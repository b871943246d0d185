import type { PlanRecord } from '@stoa/contract';
import type { Logger } from 'pino';
import type { Auth } from '../auth/index.ts';
import type { HttpMetrics } from '../metrics/http-metrics.ts';
import type { ServiceDeps } from '../service/service-deps.ts';
import type { Traces } from '../tracing/traces.ts';
import type { CliPackage } from './download/read-cli-package.ts';
import type { MarkdownRenderer } from './pages/share/markdown/markdown-renderer.ts';
import type { RequestPermits } from './permits/request-permits.ts';
import type { MessageReader } from './request/message-reader.ts';
import type { WebBuild } from './web-app/read-web-build.ts';

/** Dependencies of the HTTP surface. Addresses have no trailing slash. */
export interface HttpDeps {
  readonly service: ServiceDeps;
  readonly auth: Auth;
  readonly plans: readonly PlanRecord[];
  readonly baseUrl: string;
  /** Address of the web app; its pages are below it. */
  readonly appUrl: string;
  /** A second origin of this server, which serves shared HTML; null without one. */
  readonly contentUrl: string | null;
  readonly markdown: MarkdownRenderer;
  readonly messages: MessageReader;
  readonly permits: RequestPermits;
  /** Null if the web app was not built. */
  readonly webBuild: WebBuild | null;
  /** Null if the command line was not built. */
  readonly cliPackage: CliPackage | null;
  readonly trustedOrigins: readonly string[];
  /** Names of this server in addition to those in its addresses. */
  readonly allowedHosts: readonly string[];
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustProxy: readonly string[];
  /** True after the signal to stop. Requests are still served, but load balancers should send no more. */
  readonly isDraining: () => boolean;
  readonly logger: Logger;
  readonly metrics: HttpMetrics | null;
  readonly traces: Traces | null;
}
