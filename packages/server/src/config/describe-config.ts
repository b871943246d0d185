import { redactDatabaseUrl } from './database-url.ts';
import type { Config } from './parse-config.ts';
import { type BlobSettings, type DatabaseSettings, needsDataDir } from './storage-settings.ts';
import { variables } from './variables.ts';

/** Returns the current settings by variable, for the log at start, without the database's password and the secret. */
export function describeConfig(config: Config): Readonly<Record<string, string>> {
  const origins = config.trustProxy.length === 0 ? 'none' : config.trustProxy.join(',');
  return {
    [variables.host.name]: config.host,
    [variables.port.name]: String(config.port),
    [variables.httpThreads.name]: String(config.httpThreads),
    [variables.dataDir.name]: needsDataDir(config) ? config.dataDir : 'not used',
    [variables.databaseUrl.name]: describeDatabase(config.database),
    ...(config.database.kind === 'postgres' && {
      [variables.databasePool.name]: String(config.database.poolSize),
    }),
    [variables.blobUrl.name]: describeBlobs(config.blobs),
    [variables.secret.name]: config.secret === null ? 'made and kept' : 'given',
    [variables.baseUrl.name]: config.baseUrl,
    [variables.appUrl.name]: config.appUrl,
    [variables.contentUrl.name]: config.contentUrl ?? 'none',
    [variables.signup.name]: config.signup,
    [variables.oidcIssuer.name]: config.provider?.issuer ?? 'none',
    ...(config.provider !== null && {
      [variables.oidcClientId.name]: config.provider.clientId,
      [variables.oidcClientSecret.name]: 'given',
      [variables.oidcName.name]: config.provider.name,
      [variables.oidcSignup.name]: config.provider.signup,
    }),
    [variables.signinLimit.name]: String(config.signinLimit),
    [variables.plansFile.name]: config.plans.plans.map(({ id }) => id).join(','),
    [variables.maxFileBytes.name]: String(config.plans.maxFileBytes),
    [variables.seedWorkspaces.name]: String(config.seedWorkspaces),
    [variables.allowedHosts.name]: config.allowedHosts.length === 0 ? 'none' : config.allowedHosts.join(','),
    [variables.trustProxy.name]: origins,
    [variables.auditRetentionDays.name]: String(config.auditRetentionDays),
    [variables.scrubDays.name]: String(config.scrubDays),
    [variables.scrubBackup.name]: config.scrubBackup ?? 'none',
    [variables.logLevel.name]: config.logLevel,
    [variables.logFormat.name]: config.logFormat ?? 'by terminal',
    [variables.drainSeconds.name]: String(config.drainSeconds),
    [variables.metricsPort.name]: config.metricsPort === null ? 'off' : String(config.metricsPort),
    [variables.tracesUrl.name]: config.traces?.url ?? 'off',
    ...(config.traces !== null && { [variables.tracesRatio.name]: String(config.traces.ratio) }),
  };
}

function describeDatabase(database: DatabaseSettings): string {
  return database.kind === 'sqlite' ? 'none (SQLite)' : redactDatabaseUrl(database.url);
}

/** The address never contains credentials. */
export function describeBlobs(blobs: BlobSettings): string {
  if (blobs.kind === 'disk') return 'none (disk)';
  const { bucket, prefix, endpoint, region, pathStyle } = blobs.location;
  const parameters = [
    ...(endpoint === null ? [] : [`endpoint=${endpoint}`]),
    ...(region === null ? [] : [`region=${region}`]),
    `pathStyle=${pathStyle}`,
  ];
  return `s3://${bucket}/${prefix}?${parameters.join('&')}`;
}
