import { resolve } from 'node:path';
import { z } from 'zod';
import { poolSizeDefault } from '../storage/postgres/pool-size.ts';
import { ConfigError } from './config-error.ts';
import { unlimitedPlan } from './plans-file.ts';
import type { BlobSettings, DatabaseSettings } from './storage-settings.ts';
import { exampleOf, type VariableName, variableNames, variables } from './variables.ts';

/** The server's settings, parsed once at start. Addresses have no trailing slash. */
export type Config = Readonly<ReturnType<typeof configOf>>;
export type TracesConfig = NonNullable<Config['traces']>;

type Environment = Readonly<Record<string, string | undefined>>;
type Values = z.output<typeof variables>;

/** Settings of the tests' own tools, which may be in the same environment. */
const foreignPrefix = 'STOA_TEST_';

/**
 * Reads the settings from the environment. Only variables named `STOA_…` are read.
 * @throws ConfigError naming each unknown or invalid variable, the problem, and a valid value
 */
export function parseConfig(env: Environment): Config {
  const given = Object.fromEntries(
    Object.entries(env)
      .filter(([name]) => name.startsWith('STOA_') && !name.startsWith(foreignPrefix))
      .map(([name, value]) => [name, value === '' ? undefined : value]),
  );
  const parsed = variables.safeParse(given);
  const problems = problemsOf(given, parsed.error);
  if (parsed.data === undefined || problems.length > 0) throw new ConfigError(problems);
  return configOf(parsed.data);
}

/** The settings of this process. */
export function readConfig(): Config {
  return parseConfig(process.env);
}

/** Returns the same settings for another port: the one that the system chose for port 0. */
export function onPort(config: Config, port: number): Config {
  if (config.port === port) return config;
  const moved = (url: string) => (url === localUrl(config.port) ? localUrl(port) : url);
  const [baseUrl, appUrl] = [moved(config.baseUrl), moved(config.appUrl)];
  const trustedOrigins = originsOf([baseUrl, appUrl], baseUrl === config.baseUrl ? null : port);
  return { ...config, port, baseUrl, appUrl, trustedOrigins };
}

/** Variables without an effect when the other one is unset. */
const dependents = [
  ['STOA_DATABASE_POOL', 'STOA_DATABASE_URL'],
  ['STOA_TRACES_RATIO', 'STOA_TRACES_URL'],
] as const;
const providerClient = ['STOA_OIDC_ISSUER', 'STOA_OIDC_CLIENT_ID', 'STOA_OIDC_CLIENT_SECRET'] as const;

function problemsOf(given: Environment, error: z.ZodError<Values> | undefined): readonly string[] {
  const unknown =
    error?.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : [])) ?? [];
  const invalid = error === undefined ? {} : z.flattenError(error).fieldErrors;
  const isSet = (name: VariableName) => given[name] !== undefined;
  const problems = unknown.map(
    (name) => `${name} is not a setting of this server; the settings are ${variableNames.join(', ')}`,
  );
  for (const name of variableNames) {
    const text = invalid[name]?.join('; ');
    if (text !== undefined) problems.push(`${name} ${withExample(text, name)}`);
  }
  for (const [name, needed] of dependents) {
    if (isSet(name) && invalid[name] === undefined && !isSet(needed)) {
      problems.push(`${name} has no effect without ${needed}, e.g. ${exampleOf(needed)}`);
    }
  }
  if (variableNames.some((name) => name.startsWith('STOA_OIDC_') && isSet(name))) {
    for (const name of providerClient.filter((part) => !isSet(part))) {
      problems.push(
        `${name} is missing, while other STOA_OIDC_ settings are present, e.g. ${exampleOf(name)}`,
      );
    }
  }
  return problems;
}

function withExample(problem: string, name: VariableName): string {
  if (problem.includes('e.g. ')) return problem;
  return `${problem}: it is ${variables.shape[name].description}, e.g. ${exampleOf(name)}`;
}

function configOf(values: Values) {
  const { STOA_PORT: port, STOA_BASE_URL: publicUrl, STOA_TRACES_URL: tracesUrl } = values;
  const baseUrl = publicUrl ?? localUrl(port);
  const appUrl = values.STOA_APP_URL ?? baseUrl;
  return {
    host: values.STOA_HOST,
    port,
    /** Absolute. `needsDataDir` says whether anything is stored there. */
    dataDir: resolve(values.STOA_DATA_DIR),
    database: databaseOf(values),
    blobs: blobsOf(values),
    /** Null: made at the first start and stored with the data. */
    secret: values.STOA_SECRET ?? null,
    baseUrl,
    appUrl,
    /** Null: shared HTML is served from the app's origin, in its sandbox. */
    contentUrl: values.STOA_CONTENT_URL ?? null,
    /** Origins whose pages may use a session: those of `baseUrl` and `appUrl`. */
    trustedOrigins: originsOf([baseUrl, appUrl], publicUrl === undefined ? port : null),
    signup: values.STOA_SIGNUP,
    /** An OpenID Connect provider, and this server as its client; null for passwords only. */
    provider: providerOf(values),
    /** Attempts per minute and address; 0 for no limit. */
    signinLimit: values.STOA_SIGNIN_LIMIT,
    plans: {
      ...(values.STOA_PLANS ?? { defaultPlanId: unlimitedPlan.id, plans: [unlimitedPlan] }),
      maxFileBytes: values.STOA_MAX_FILE_BYTES,
    },
    seedWorkspaces: values.STOA_SEED_WORKSPACES,
    /** Names that the `Host` header may have in addition to those of the public addresses. */
    allowedHosts: values.STOA_ALLOWED_HOSTS,
    trustProxy: values.STOA_TRUST_PROXY,
    /** Days for which the audit log is kept; 0 for ever. */
    auditRetentionDays: values.STOA_AUDIT_RETENTION_DAYS,
    /** Days within which every stored byte is read again; 0 for never. */
    scrubDays: values.STOA_SCRUB_DAYS,
    /** Absolute path of a backup directory. Null: damaged contents are quarantined. */
    scrubBackup: values.STOA_SCRUB_BACKUP === undefined ? null : resolve(values.STOA_SCRUB_BACKUP),
    logLevel: values.STOA_LOG_LEVEL,
    /** Null: readable text on a terminal, otherwise JSON lines. */
    logFormat: values.STOA_LOG_FORMAT ?? null,
    /** Time for which requests are still accepted after the signal to stop. */
    drainSeconds: values.STOA_DRAIN_SECONDS,
    metricsPort: values.STOA_METRICS_PORT ?? null,
    /** Destination of traces and the traced fraction of requests, by default all; null for none. */
    traces: tracesUrl === undefined ? null : { url: tracesUrl, ratio: values.STOA_TRACES_RATIO ?? 1 },
  };
}

function databaseOf({ STOA_DATABASE_URL: url, STOA_DATABASE_POOL: poolSize }: Values): DatabaseSettings {
  return url === undefined
    ? { kind: 'sqlite' }
    : { kind: 'postgres', url, poolSize: poolSize ?? poolSizeDefault };
}

function blobsOf({ STOA_BLOB_URL: location }: Values): BlobSettings {
  return location === undefined ? { kind: 'disk' } : { kind: 's3', location };
}

function providerOf(values: Values) {
  const {
    STOA_OIDC_ISSUER: issuer,
    STOA_OIDC_CLIENT_ID: clientId,
    STOA_OIDC_CLIENT_SECRET: clientSecret,
  } = values;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  const name = values.STOA_OIDC_NAME ?? new URL(issuer).host;
  return { issuer, clientId, clientSecret, name, signup: values.STOA_OIDC_SIGNUP ?? values.STOA_SIGNUP };
}

/** By number, because `localhost` may resolve to ::1 first, where no server listens. */
function localUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** @param localPort without a public address: the server is used on one machine, under any local name */
function originsOf(urls: readonly string[], localPort: number | null): readonly string[] {
  const origins = urls.map((url) => new URL(url).origin);
  if (localPort !== null) origins.push(`http://localhost:${localPort}`, `http://[::1]:${localPort}`);
  return [...new Set(origins)];
}
