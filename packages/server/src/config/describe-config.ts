import { redactDatabaseUrl } from './database-url.ts';
import type { Config } from './parse-config.ts';
import { type BlobSettings, needsDataDir } from './storage-settings.ts';
import type { VariableName } from './variables.ts';

/** Returns the current settings by variable, for the log at start, without the database's password and the secret. */
export function describeConfig(config: Config): Readonly<Record<string, string>> {
  const { database, provider, traces } = config;
  const listed = (entries: readonly string[]) => entries.join(',') || 'none';
  // Undefined: not shown, because another setting is unset.
  const shown: Record<VariableName, string | number | boolean | undefined> = {
    STOA_HOST: config.host,
    STOA_PORT: config.port,
    STOA_DATA_DIR: needsDataDir(config) ? config.dataDir : 'not used',
    STOA_DATABASE_URL: database.kind === 'sqlite' ? 'none (SQLite)' : redactDatabaseUrl(database.url),
    STOA_DATABASE_POOL: database.kind === 'sqlite' ? undefined : database.poolSize,
    STOA_BLOB_URL: describeBlobs(config.blobs),
    STOA_SECRET: config.secret === null ? 'made and kept' : 'given',
    STOA_BASE_URL: config.baseUrl,
    STOA_APP_URL: config.appUrl,
    STOA_CONTENT_URL: config.contentUrl ?? 'none',
    STOA_SIGNUP: config.signup,
    STOA_OIDC_ISSUER: provider?.issuer ?? 'none',
    STOA_OIDC_CLIENT_ID: provider?.clientId,
    STOA_OIDC_CLIENT_SECRET: provider === null ? undefined : 'given',
    STOA_OIDC_NAME: provider?.name,
    STOA_OIDC_SIGNUP: provider?.signup,
    STOA_SIGNIN_LIMIT: config.signinLimit,
    STOA_PLANS: listed(config.plans.plans.map(({ id }) => id)),
    STOA_MAX_FILE_BYTES: config.plans.maxFileBytes,
    STOA_SEED_WORKSPACES: config.seedWorkspaces,
    STOA_ALLOWED_HOSTS: listed(config.allowedHosts),
    STOA_TRUST_PROXY: listed(config.trustProxy),
    STOA_AUDIT_RETENTION_DAYS: config.auditRetentionDays,
    STOA_SCRUB_DAYS: config.scrubDays,
    STOA_SCRUB_BACKUP: config.scrubBackup ?? 'none',
    STOA_LOG_LEVEL: config.logLevel,
    STOA_LOG_FORMAT: config.logFormat ?? 'by terminal',
    STOA_DRAIN_SECONDS: config.drainSeconds,
    STOA_METRICS_PORT: config.metricsPort ?? 'off',
    STOA_TRACES_URL: traces?.url ?? 'off',
    STOA_TRACES_RATIO: traces?.ratio,
  };
  return Object.fromEntries(
    Object.entries(shown).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
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
