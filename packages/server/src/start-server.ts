import type { Server as HttpServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { describeConfig } from './config/describe-config.ts';
import { type Config, onPort, type TracesConfig } from './config/parse-config.ts';
import { createDeps } from './create-deps.ts';
import { createApp } from './http/create-app.ts';
import { readCliPackage } from './http/download/read-cli-package.ts';
import { closeApp } from './http/listener/close-app.ts';
import { readWebBuild } from './http/web-app/read-web-build.ts';
import type { HttpMetrics } from './metrics/http-metrics.ts';
import { bothObservers, type StoreObserver } from './metrics/measure-stores.ts';
import { createMetricsListener } from './metrics/metrics-listener.ts';
import { forgetAudit } from './service/auditing/forget-audit.ts';
import type { BringBack } from './service/checking/mend-contents.ts';
import { type Scrub, type ScrubFigures, startScrub } from './service/checking/start-scrub.ts';
import { type ContentFollower, followContents } from './service/content-search/follow-contents.ts';
import { sweepDeviceCodes } from './service/device/sweep-device-codes.ts';
import { readUnreadFrontMatter } from './service/files/read-unread-front-matter.ts';
import type { ServiceDeps } from './service/service-deps.ts';
import { appUrlProblem } from './start/app-url-problem.ts';
import { listen, pickFreePort, startErrorOf } from './start/listen.ts';
import { isPlaceThere } from './start/refuse-disagreeing-node.ts';
import { sweepRegularly } from './start/sweep-regularly.ts';
import type { Traces } from './tracing/traces.ts';

/** How long accepted requests may take to be answered once the server was told to stop. */
const shutdownGraceMs = 30_000;
/** Where `npm run build` puts the web app. */
const packages = join(import.meta.dirname, '../..');
/** Where the build puts what the server hands out. Nothing has to be there. */
const buildPlaces = {
  web: join(packages, 'web/dist'),
  cli: join(packages, 'cli/dist/download/stoa-cli.tgz'),
};
const sweepBytesEveryMs = 6 * 60 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;
const sweepCodesEveryMs = 5 * 60 * 1000;
const sweepAuditEveryMs = 60 * 60 * 1000;
const readFrontMatterEveryMs = 60 * 1000;

const notBuilt = 'the web app is not built: run `npm run build` and start the server again';

export interface RunningServer {
  /** As in force: with the port that was picked for port 0. */
  readonly config: Config;
  /** Whether nobody has an account yet. */
  readonly isEmpty: boolean;
  /** Whether there is a web app to open in a browser. */
  readonly hasWebApp: boolean;
  /** Feed requests that are held now. */
  feedWaiting(): number;
  /** Drains as long as is configured, then stops accepting, answers what was accepted (held feed requests at once), and closes the store. */
  stop(): Promise<void>;
}

/**
 * Starts the whole server.
 * @param onFatal is called when the storage failed in a way that must not be gone on from: the process has to end.
 * @param places where the web app and the command line were built.
 * @throws StartError with a sentence for the operator.
 */
export async function startServer(
  wanted: Config,
  logger: Logger,
  onFatal: (error: unknown) => void,
  places: Partial<typeof buildPlaces> = {},
): Promise<RunningServer> {
  const config = wanted.port === 0 ? onPort(wanted, await pickFreePort(wanted.host)) : wanted;
  logger.info({ settings: describeConfig(config) }, 'starting');
  const { web, cli } = { ...buildPlaces, ...places };
  const webBuild = await readWebBuild(web);
  const cliPackage = await readCliPackage(cli);
  for (const problem of [webBuild === null ? notBuilt : null, appUrlProblem(config)]) {
    if (problem !== null) logger.warn(problem);
  }
  const metrics = config.metricsPort === null ? null : await createMetrics();
  const reportProblem = (message: string, cause: unknown) => logger.warn({ err: cause }, message);
  const traces = config.traces === null ? null : await createTraces(config.traces, reportProblem);
  const deps = await createDeps(config, {
    onFatal,
    reportProblem,
    stores: storeObserverOf(metrics, traces),
    searches: traces?.searches ?? null,
  });
  let isDraining = false;
  const app = createApp({
    service: deps.service,
    auth: deps.auth,
    markdown: deps.markdown,
    messages: deps.messages,
    webBuild,
    cliPackage,
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
  let metricsListener: HttpServer | null = null;
  try {
    await listen(app, config.host, config.port);
    if (metrics !== null) {
      metrics.observeGauge('stoa_feed_waiting', 'Feed requests held', () => deps.service.feedWaiters.waiting);
      metricsListener = await listenForMetrics(metrics, config);
    }
  } catch (error) {
    await app.close();
    await deps[Symbol.asyncDispose]();
    await traces?.stop();
    throw error;
  }
  const sweeping = sweepRegularly(
    [
      { done: 'swept', what: 'stored bytes', everyMs: sweepBytesEveryMs, atStart: false, sweep: deps.sweep },
      {
        done: 'swept',
        what: 'device codes',
        everyMs: sweepCodesEveryMs,
        atStart: false,
        sweep: (signal) => sweepDeviceCodes(deps.service, signal),
      },
      {
        done: 'swept',
        what: 'audit log',
        everyMs: sweepAuditEveryMs,
        atStart: true,
        sweep: (signal) => forgetAudit(deps.service, config.auditRetentionDays, signal),
      },
      {
        done: 'read',
        what: 'front matter of earlier contents',
        everyMs: readFrontMatterEveryMs,
        atStart: true,
        sweep: (signal) => readUnreadFrontMatter(deps.service, signal),
      },
    ],
    logger,
  );
  const scrub = scrubOf(config, deps.service, logger);
  if (metrics !== null && scrub !== null) observeScrub(metrics, scrub);
  const following = followContents(deps.service, reportProblem);
  if (metrics !== null) observeContentIndex(metrics, following);
  let stopped: Promise<void> | null = null;
  const stop = async () => {
    isDraining = true;
    if (config.drainSeconds > 0) logger.info({ seconds: config.drainSeconds }, 'draining');
    await pause(config.drainSeconds * 1000);
    deps.service.feedWaiters[Symbol.dispose]();
    const outcome = await closeApp(app, shutdownGraceMs);
    const tracesStopped = traces?.stop();
    await sweeping[Symbol.asyncDispose]();
    await following[Symbol.asyncDispose]();
    await scrub?.[Symbol.asyncDispose]();
    metricsListener?.close();
    metricsListener?.closeAllConnections();
    await deps[Symbol.asyncDispose]();
    await tracesStopped;
    logger.info({ requests: outcome }, 'stopped');
  };
  return {
    config,
    isEmpty: (await deps.service.store.reader.users.count()) === 0,
    hasWebApp: webBuild !== null,
    feedWaiting: () => deps.service.feedWaiters.waiting,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** Loaded only where somebody wants metrics. */
async function createMetrics(): Promise<HttpMetrics> {
  const { createHttpMetrics } = await import('./metrics/http-metrics.ts');
  return createHttpMetrics();
}

/** Loaded only where somebody wants traces. */
async function createTraces(
  settings: TracesConfig,
  reportProblem: (message: string, cause: unknown) => void,
): Promise<Traces> {
  const { openTraces } = await import('./tracing/open-traces.ts');
  return openTraces(settings, reportProblem);
}

function storeObserverOf(metrics: HttpMetrics | null, traces: Traces | null): StoreObserver | null {
  if (metrics === null || traces === null) return metrics?.stores ?? traces?.stores ?? null;
  return bothObservers(metrics.stores, traces.stores);
}

async function listenForMetrics(metrics: HttpMetrics, { host, metricsPort }: Config): Promise<HttpServer> {
  const listener = createMetricsListener(metrics);
  await new Promise<void>((resolve, reject) => {
    listener.once('error', (error) => reject(startErrorOf(error, host, metricsPort ?? 0)));
    listener.listen(metricsPort ?? 0, host, resolve);
  });
  return listener;
}

/** @returns null where the settings ask for none. */
function scrubOf(
  { scrubDays, scrubBackup, dataDir }: Config,
  service: ServiceDeps,
  logger: Logger,
): Scrub | null {
  if (scrubDays === 0) return null;
  const bringBack: BringBack = async (content) => {
    if (scrubBackup === null) return null;
    const { bringBackFrom } = await import('./backup/backup-contents.ts');
    return bringBackFrom(scrubBackup, dataDir, content, service.blobs);
  };
  return startScrub(service, {
    withinMs: scrubDays * dayMs,
    bringBack: scrubBackup === null ? null : bringBack,
    isPlaceThere: () => isPlaceThere(service),
    found: ({ isMended, ...finding }) =>
      isMended
        ? logger.warn(finding, 'a content was wrong, and was brought back from the backup')
        : logger.error(finding, 'a content is wrong, and was put aside'),
    reportProblem: (message, cause) => logger.warn({ err: cause }, message),
  });
}

function observeContentIndex(metrics: HttpMetrics, following: ContentFollower): void {
  metrics.observeGauge(
    'stoa_content_index_waiting_workspaces',
    'Workspaces with changes that the index of contents has still to look at',
    () => following.waiting,
  );
  metrics.observeGauge(
    'stoa_content_index_behind_seconds',
    'Age of the oldest change that is not in the index of contents, counted from the start of this node at the most',
    () => following.behindMs() / 1000,
  );
}

function observeScrub(metrics: HttpMetrics, scrub: Scrub): void {
  const observe = (name: string, help: string, read: (figures: ScrubFigures) => number) =>
    metrics.observeGauge(name, help, () => {
      const figures = scrub.figures();
      return figures === null ? 0 : read(figures);
    });
  observe('stoa_scrub_contents', 'Contents read in this round', ({ contents }) => contents);
  observe('stoa_scrub_bytes', 'Bytes read in this round', ({ bytes }) => bytes);
  observe('stoa_scrub_wrong', 'Contents found missing or wrong in this round', ({ wrong }) => wrong);
  observe('stoa_quarantined_contents', 'Contents put aside and not mended', ({ quarantined }) => quarantined);
  observe(
    'stoa_scrub_oldest_seconds',
    'At most so long ago each content was last read or written',
    ({ verifiedSince }) => (verifiedSince === null ? 0 : (Date.now() - verifiedSince) / 1000),
  );
}
