import type { Server as HttpServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { describeConfig } from './config/describe-config.ts';
import { type Config, onPort } from './config/parse-config.ts';
import { createDeps, type Deps } from './create-deps.ts';
import { hostChecker, ownHosts } from './http/request/cross-site.ts';
import type { HttpMetrics } from './metrics/http-metrics.ts';
import { createMetricsListener } from './metrics/metrics-listener.ts';
import { createObservers } from './observers.ts';
import { type BuildLocations, type HttpSide, serveHttp, usualLocations } from './serve-http.ts';
import { forgetAudit } from './service/auditing/forget-audit.ts';
import type { BringBack } from './service/checking/repair-contents.ts';
import { type Scrub, type ScrubFigures, startScrub } from './service/checking/start-scrub.ts';
import { type ContentFollower, followContents } from './service/content-search/follow-contents.ts';
import { sweepDeviceCodes } from './service/device/sweep-device-codes.ts';
import { readUnreadFrontMatter } from './service/files/read-unread-front-matter.ts';
import type { ServiceDeps } from './service/service-deps.ts';
import { appUrlProblem } from './start/app-url-problem.ts';
import { pickFreePort, startErrorOf } from './start/listen.ts';
import { isLocationThere } from './start/reject-disagreeing-node.ts';
import { type RegularSweep, sweepRegularly } from './start/sweep-regularly.ts';

const sweepBytesEveryMs = 6 * 60 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;
const sweepCodesEveryMs = 5 * 60 * 1000;
const sweepAuditEveryMs = 60 * 60 * 1000;
const readFrontMatterEveryMs = 60 * 1000;
const measureIndexEveryMs = 60 * 1000;

const notBuilt = 'the web app is not built: run `npm run build` and start the server again';

export interface RunningServer {
  /** The effective settings: port 0 is replaced by the chosen port. */
  readonly config: Config;
  /** Whether no account exists yet. */
  readonly isEmpty: boolean;
  readonly hasWebApp: boolean;
  feedWaiting(): number;
  /**
   * Drains for the configured time, stops accepting connections, finishes accepted requests (waiting feed requests
   * immediately), and closes the store.
   */
  stop(): Promise<void>;
}

/**
 * Starts the whole server.
 * @param onFatal called when the storage failed permanently: the process has to end.
 * @param places locations of the built web app and command line.
 * @throws StartError with a message for the operator.
 */
export async function startServer(
  wanted: Config,
  logger: Logger,
  onFatal: (error: unknown) => void,
  locations: Partial<BuildLocations> = {},
): Promise<RunningServer> {
  // For port 0, the public address needs the port that the system chooses.
  const config = wanted.port === 0 ? onPort(wanted, await pickFreePort(wanted.host)) : wanted;
  logger.info({ settings: describeConfig(config) }, 'starting');
  const reportProblem = (message: string, cause: unknown) => logger.warn({ err: cause }, message);
  const { metrics, traces, stores } = await createObservers(config, reportProblem);
  let deps: Deps | null = null;
  let http: HttpSide;
  let metricsListener: HttpServer | null = null;
  try {
    deps = await createDeps(config, { onFatal, reportProblem, stores, searches: traces?.searches ?? null });
    // Metrics come first: a client that sees the server healthy may request them.
    if (metrics !== null) metricsListener = await listenForMetrics(metrics, config);
    const allLocations = { ...usualLocations, ...locations };
    http = await serveHttp(config, deps, { logger, metrics, traces, locations: allLocations });
  } catch (error) {
    metricsListener?.close();
    await deps?.[Symbol.asyncDispose]();
    await traces?.stop();
    throw error;
  }
  for (const problem of [http.hasWebApp ? null : notBuilt, appUrlProblem(config)]) {
    if (problem !== null) logger.warn(problem);
  }
  // Not awaited: the directory may be on an unresponsive share.
  if (config.scrubBackup !== null) void reportScrubBackupProblem(config, logger);
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
      ...(metrics === null ? [] : [observeContentIndexBytes(metrics, deps.service)]),
    ],
    logger,
  );
  const scrub = scrubOf(config, deps.service, logger);
  if (metrics !== null) observeScrub(metrics, scrub, config);
  const following = followContents(deps.service, reportProblem);
  if (metrics !== null) observeContentIndex(metrics, following);
  let stopped: Promise<void> | null = null;
  const stop = async () => {
    http.drain();
    if (config.drainSeconds > 0) logger.info({ seconds: config.drainSeconds }, 'draining');
    await pause(config.drainSeconds * 1000);
    const requests = await http.stop();
    const tracesStopped = traces?.stop();
    await sweeping[Symbol.asyncDispose]();
    await following[Symbol.asyncDispose]();
    await scrub[Symbol.asyncDispose]();
    metricsListener?.close();
    metricsListener?.closeAllConnections();
    await deps[Symbol.asyncDispose]();
    await tracesStopped;
    logger.info({ requests }, 'stopped');
  };
  return {
    config,
    isEmpty: (await deps.service.store.reader.users.count()) === 0,
    hasWebApp: http.hasWebApp,
    feedWaiting: () => deps.service.feedWaiters.waiting,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

async function listenForMetrics(metrics: HttpMetrics, config: Config): Promise<HttpServer> {
  const { host, metricsPort } = config;
  const checkHost = hostChecker(ownHosts(config));
  const listener = createMetricsListener(metrics, (request) => checkHost(request) !== null);
  await new Promise<void>((resolve, reject) => {
    listener.once('error', (error) =>
      reject(startErrorOf(error, host, metricsPort ?? 0, 'STOA_METRICS_PORT')),
    );
    listener.listen(metricsPort ?? 0, host, resolve);
  });
  return listener;
}

function scrubOf({ scrubDays, scrubBackup, dataDir }: Config, service: ServiceDeps, logger: Logger): Scrub {
  const bringBack: BringBack = async (content) => {
    if (scrubBackup === null) return null;
    const { bringBackFrom } = await import('./backup/backup-contents.ts');
    return bringBackFrom(scrubBackup, dataDir, content, service.blobs);
  };
  return startScrub(service, {
    withinMs: scrubDays === 0 ? null : scrubDays * dayMs,
    bringBack: scrubBackup === null ? null : bringBack,
    isLocationThere: () => isLocationThere(service),
    found: ({ isRepaired, ...finding }) =>
      isRepaired
        ? logger.warn(finding, 'a content was corrupt and was restored from the backup')
        : logger.error(finding, 'a content is corrupt and was quarantined'),
    reportProblem: (message, cause) => logger.warn({ err: cause }, message),
  });
}

async function reportScrubBackupProblem(config: Config, logger: Logger): Promise<void> {
  const { scrubBackupProblem } = await import('./backup/scrub-backup-problem.ts');
  const problem = await scrubBackupProblem(config);
  if (problem !== null) logger.warn(problem);
}

function observeContentIndex(metrics: HttpMetrics, following: ContentFollower): void {
  metrics.observeGauge(
    'stoa_content_index_waiting_workspaces',
    'Workspaces with changes that the content index may lack',
    () => following.waiting,
  );
  metrics.observeGauge(
    'stoa_content_index_behind_seconds',
    'Age of the oldest change that the content index may lack, at most the uptime of this node',
    () => following.behindMs() / 1000,
  );
}

/** Measured at an interval: a scrape must not wait for a database that does not respond. */
function observeContentIndexBytes(metrics: HttpMetrics, { wordIndex }: ServiceDeps): RegularSweep {
  let bytes = 0;
  metrics.observeGauge(
    'stoa_content_index_bytes',
    'Size of the content index, read once a minute; all nodes of a database share it',
    () => bytes,
  );
  return {
    done: 'read',
    what: 'size of the content index',
    everyMs: measureIndexEveryMs,
    atStart: true,
    async sweep() {
      bytes = await wordIndex.sizeBytes();
      return {};
    },
  };
}

function observeScrub(metrics: HttpMetrics, scrub: Scrub, { scrubDays }: Pick<Config, 'scrubDays'>): void {
  const observe = (name: string, help: string, read: (figures: ScrubFigures) => number) =>
    metrics.observeGauge(name, help, () => {
      const figures = scrub.figures();
      return figures === null ? 0 : read(figures);
    });
  observe('stoa_quarantined_contents', 'Contents in quarantine', ({ quarantined }) => quarantined);
  // Without a scrub, these metrics would only age and raise alerts.
  if (scrubDays === 0) return;
  observe('stoa_scrub_contents', 'Contents read in this round', ({ contents }) => contents);
  observe('stoa_scrub_bytes', 'Bytes read in this round', ({ bytes }) => bytes);
  observe('stoa_scrub_wrong', 'Contents found missing or wrong in this round', ({ wrong }) => wrong);
  observe(
    'stoa_scrub_oldest_seconds',
    'Maximum time since each content was last read or written',
    ({ verifiedSince }) => (verifiedSince === null ? 0 : (Date.now() - verifiedSince) / 1000),
  );
}
