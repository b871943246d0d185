import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config/parse-config.ts';
import type { Deps } from './create-deps.ts';
import { createApp } from './http/create-app.ts';
import { readCliPackage } from './http/download/read-cli-package.ts';
import { closeApp } from './http/listener/close-app.ts';
import { createRequestPermits } from './http/permits/request-permits.ts';
import { readWebBuild } from './http/web-app/read-web-build.ts';
import type { HttpMetrics } from './metrics/http-metrics.ts';
import { listen } from './start/listen.ts';
import type { Traces } from './tracing/traces.ts';

/** Time for accepted requests to finish after a shutdown begins. */
const shutdownGraceMs = 30_000;

/** Locations of the built web app and command line, which the server serves. Both are optional. */
export interface BuildLocations {
  readonly web: string;
  readonly cli: string;
}

const packages = join(import.meta.dirname, '../..');
export const usualLocations: BuildLocations = {
  web: join(packages, 'web/dist'),
  cli: join(packages, 'cli/dist/download/stoa-cli.tgz'),
};

/** The running HTTP server. */
export interface HttpSide {
  readonly hasWebApp: boolean;
  /** From now on its health is 503; all other responses are unchanged. */
  drain(): void;
  /**
   * Stops accepting connections and finishes accepted requests (waiting feed requests immediately).
   * @returns whether all finished in time.
   */
  stop(): Promise<'answered' | 'cut off'>;
}

/**
 * Serves requests at the address of the settings.
 * @throws StartError when the address cannot be listened on.
 */
export async function serveHttp(
  config: Config,
  deps: Deps,
  given: {
    readonly logger: Logger;
    readonly metrics: HttpMetrics | null;
    readonly traces: Traces | null;
    readonly locations: BuildLocations;
  },
): Promise<HttpSide> {
  const { logger, metrics, traces, locations } = given;
  const webBuild = await readWebBuild(locations.web);
  let isDraining = false;
  const app = createApp({
    service: deps.service,
    auth: deps.auth,
    markdown: deps.markdown,
    messages: deps.messages,
    permits: createRequestPermits(),
    webBuild,
    cliPackage: await readCliPackage(locations.cli),
    plans: config.plans.plans,
    baseUrl: config.baseUrl,
    appUrl: config.appUrl,
    contentUrl: config.contentUrl,
    trustedOrigins: config.trustedOrigins,
    allowedHosts: config.allowedHosts,
    trustProxy: config.trustProxy,
    isDraining: () => isDraining,
    logger,
    metrics,
    traces,
  });
  metrics?.observeGauge('stoa_feed_waiting', 'Feed requests held', () => deps.service.feedWaiters.waiting);
  try {
    await listen(app, config);
  } catch (error) {
    await app.close();
    throw error;
  }
  return {
    hasWebApp: webBuild !== null,
    drain() {
      isDraining = true;
    },
    stop() {
      deps.service.feedWaiters[Symbol.dispose]();
      return closeApp(app, shutdownGraceMs);
    },
  };
}
