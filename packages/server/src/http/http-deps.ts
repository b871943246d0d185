import type { PlanRecord } from '@stoa/contract';
import type { Logger } from 'pino';
import type { Auth } from '../auth/index.ts';
import type { HttpMetrics } from '../metrics/http-metrics.ts';
import type { ServiceDeps } from '../service/service-deps.ts';
import type { Traces } from '../tracing/traces.ts';
import type { CliPackage } from './download/read-cli-package.ts';
import type { MarkdownRenderer } from './pages/share/markdown/markdown-renderer.ts';
import type { MessageReader } from './request/message-reader.ts';
import type { WebBuild } from './web-app/read-web-build.ts';

/** What the HTTP surface is given. Addresses have no trailing slash. */
export interface HttpDeps {
  readonly service: ServiceDeps;
  readonly auth: Auth;
  readonly plans: readonly PlanRecord[];
  readonly baseUrl: string;
  /** Where people go: its pages lie below it. */
  readonly appUrl: string;
  /** Another origin of this server, from which shared HTML is shown; null without one. */
  readonly contentUrl: string | null;
  readonly markdown: MarkdownRenderer;
  readonly messages: MessageReader;
  /** The web app; null where it was not built. */
  readonly webBuild: WebBuild | null;
  /** The command line; null where it was not built. */
  readonly cliPackage: CliPackage | null;
  readonly trustedOrigins: readonly string[];
  /** Names of this server beside those in its addresses. */
  readonly allowedHosts: readonly string[];
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustProxy: readonly string[];
  /** True from the order to stop on: requests are still answered, but no load balancer should send more. */
  readonly isDraining: () => boolean;
  readonly logger: Logger;
  readonly metrics: HttpMetrics | null;
  readonly traces: Traces | null;
}
