import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { z } from 'zod';
import type { ObjectLocation } from '../storage/blobs/s3/parse-blob-url.ts';
import { poolSizeDefault } from '../storage/postgres/pool-size.ts';
import { ConfigError } from './config-error.ts';
import { type NamedPlan, type NamedPlanCatalog, parsePlansFile, unlimitedPlan } from './plans-file.ts';
import type { BlobSettings, DatabaseSettings } from './storage-settings.ts';
import { type LogLevel, type Variable, variables } from './variables.ts';

/** The server's settings, parsed once at start. Addresses have no trailing slash. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Number of threads that serve requests. */
  readonly httpThreads: number;
  /** Absolute. `needsDataDir` says whether anything is stored there. */
  readonly dataDir: string;
  readonly database: DatabaseSettings;
  readonly blobs: BlobSettings;
  /** Null: made at the first start and stored with the data. */
  readonly secret: string | null;
  readonly baseUrl: string;
  readonly appUrl: string;
  /** Null: shared HTML is served from the app's origin, in its sandbox. */
  readonly contentUrl: string | null;
  /** Origins whose pages may use a session: those of `baseUrl` and `appUrl`. */
  readonly trustedOrigins: readonly string[];
  readonly signup: 'first' | 'open' | 'closed';
  /** An OpenID Connect provider, and this server as its client; null for passwords only. */
  readonly provider: ProviderConfig | null;
  /** Attempts per minute and address; 0 for no limit. */
  readonly signinLimit: number;
  readonly plans: NamedPlanCatalog;
  readonly seedWorkspaces: boolean;
  /** Names that the `Host` header may have in addition to those of the public addresses. */
  readonly allowedHosts: readonly string[];
  readonly trustProxy: readonly string[];
  /** Days for which the audit log is kept; 0 for ever. */
  readonly auditRetentionDays: number;
  /** Days within which every stored byte is read again; 0 for never. */
  readonly scrubDays: number;
  /** Absolute path of a backup directory. Null: damaged contents are quarantined. */
  readonly scrubBackup: string | null;
  readonly logLevel: LogLevel;
  /** Null: readable text on a terminal, otherwise JSON lines. */
  readonly logFormat: 'text' | 'json' | null;
  /** Time for which requests are still accepted after the signal to stop. */
  readonly drainSeconds: number;
  readonly metricsPort: number | null;
  /** Destination of traces and the traced fraction of requests, from 0 to 1; null for none. */
  readonly traces: TracesConfig | null;
}

export interface TracesConfig {
  readonly url: string;
  readonly ratio: number;
}

interface ProviderConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
  readonly signup: Config['signup'];
}

/** Trace everything by default when a destination is set. Busy services can lower it. */
const tracesRatioDefault = 1;
/** With more threads the writer's thread becomes the limit of writes. */
const httpThreadsUsualMax = 8;

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings of the tests' own tools, which may be in the same environment. */
const foreignPrefix = 'STOA_TEST_';

/**
 * Reads the settings from the environment. Only variables named `STOA_…` are read.
 * @throws ConfigError naming each unknown or invalid variable, the problem, and a valid value
 */
export function parseConfig(env: Environment): Config {
  const problems: string[] = unknownVariables(env);
  const read = <Value>(variable: Variable<Value>): Value => readVariable(env, variable, problems);
  const host = read(variables.host);
  const port = read(variables.port);
  const givenBaseUrl = read(variables.baseUrl);
  const baseUrl = givenBaseUrl ?? localUrl(port);
  const appUrl = read(variables.appUrl) ?? baseUrl;
  const maxFileBytes = read(variables.maxFileBytes);
  const scrubBackup = read(variables.scrubBackup);
  const { plans, defaultPlanId } = readPlans(read(variables.plansFile), problems);
  const signup = read(variables.signup);
  const database = databaseOf(read(variables.databaseUrl), read(variables.databasePool), problems);
  const config: Config = {
    host,
    port,
    httpThreads: httpThreadsOf(read(variables.httpThreads), database, problems),
    dataDir: resolve(read(variables.dataDir)),
    database,
    blobs: blobsOf(read(variables.blobUrl)),
    secret: read(variables.secret) ?? null,
    baseUrl,
    appUrl,
    contentUrl: read(variables.contentUrl) ?? null,
    trustedOrigins: [],
    signup,
    provider: providerOf(read, signup, problems),
    signinLimit: read(variables.signinLimit),
    plans: { defaultPlanId, plans, maxFileBytes },
    seedWorkspaces: read(variables.seedWorkspaces),
    allowedHosts: read(variables.allowedHosts),
    trustProxy: read(variables.trustProxy),
    auditRetentionDays: read(variables.auditRetentionDays),
    scrubDays: read(variables.scrubDays),
    scrubBackup: scrubBackup === undefined ? null : resolve(scrubBackup),
    logLevel: read(variables.logLevel),
    logFormat: read(variables.logFormat) ?? null,
    drainSeconds: read(variables.drainSeconds),
    metricsPort: read(variables.metricsPort) ?? null,
    traces: tracesOf(read(variables.tracesUrl), read(variables.tracesRatio), problems),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return { ...config, trustedOrigins: originsOf(config, givenBaseUrl === undefined) };
}

/** The settings of this process. */
export function readConfig(): Config {
  return parseConfig(process.env);
}

/** Returns the same settings for another port: the one that the system chose for port 0. */
export function onPort(config: Config, port: number): Config {
  if (config.port === port) return config;
  const moved = (url: string) => (url === localUrl(config.port) ? localUrl(port) : url);
  const next = { ...config, port, baseUrl: moved(config.baseUrl), appUrl: moved(config.appUrl) };
  return { ...next, trustedOrigins: originsOf(next, next.baseUrl !== config.baseUrl) };
}

function readVariable<Value>(env: Environment, variable: Variable<Value>, problems: string[]): Value {
  const text = env[variable.name];
  const parsed = variable.schema.safeParse(text === '' ? undefined : text);
  if (parsed.success) return parsed.data;
  problems.push(
    `${variable.name} ${issueText(parsed.error)}: it is ${variable.says}, e.g. ${variable.name}=${variable.example}`,
  );
  // Never used: parsing ends in a ConfigError after a problem. The default lets the other checks run.
  return variable.schema.parse(undefined);
}

function issueText(error: z.ZodError): string {
  return error.issues.map(({ message }) => message).join('; ');
}

function unknownVariables(env: Environment): string[] {
  const known = new Set(Object.values(variables).map(({ name }) => name));
  return Object.keys(env)
    .filter((name) => name.startsWith('STOA_') && !name.startsWith(foreignPrefix) && !known.has(name))
    .map((name) => `${name} is not a setting of this server; the settings are ${[...known].join(', ')}`);
}

function readPlans(
  file: string | undefined,
  problems: string[],
): { readonly plans: readonly NamedPlan[]; readonly defaultPlanId: string } {
  const unlimited = { plans: [unlimitedPlan], defaultPlanId: unlimitedPlan.id };
  if (file === undefined) return unlimited;
  const { name, example } = variables.plansFile;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unreadable';
    problems.push(`${name} names a file that cannot be read (${reason}), e.g. ${name}=${example}`);
    return unlimited;
  }
  const reading = parsePlansFile(text);
  if (reading.kind === 'read') return reading;
  const shape =
    '{ "default": "free", "plans": [{ "id": "free", "name": "Free", "storageBytes": 1000000000 }] }';
  problems.push(`${name} names ${file}, but ${reading.problem}; e.g. ${shape}`);
  return unlimited;
}

function databaseOf(
  url: string | undefined,
  poolSize: number | undefined,
  problems: string[],
): DatabaseSettings {
  if (url !== undefined) return { kind: 'postgres', url, poolSize: poolSize ?? poolSizeDefault };
  if (poolSize !== undefined) problems.push(withoutEffect(variables.databasePool, variables.databaseUrl));
  return { kind: 'sqlite' };
}

function tracesOf(
  url: string | undefined,
  ratio: number | undefined,
  problems: string[],
): TracesConfig | null {
  if (url !== undefined) return { url, ratio: ratio ?? tracesRatioDefault };
  if (ratio !== undefined) problems.push(withoutEffect(variables.tracesRatio, variables.tracesUrl));
  return null;
}

function withoutEffect({ name }: Variable<unknown>, needed: Variable<unknown>): string {
  return `${name} has no effect without ${needed.name}, e.g. ${needed.name}=${needed.example}`;
}

/** With PostgreSQL, run more nodes instead. */
function httpThreadsOf(wanted: number | undefined, { kind }: DatabaseSettings, problems: string[]): number {
  if (kind === 'sqlite')
    return wanted ?? Math.min(httpThreadsUsualMax, Math.max(1, availableParallelism() - 1));
  if (wanted !== undefined) {
    const { httpThreads, databaseUrl } = variables;
    problems.push(
      `${httpThreads.name} has no effect with ${databaseUrl.name}: run as many nodes instead, without ${httpThreads.name}`,
    );
  }
  return 1;
}

/** Requires all settings of a client, or none of them. */
function providerOf(
  read: <Value>(variable: Variable<Value>) => Value,
  signup: Config['signup'],
  problems: string[],
): ProviderConfig | null {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcName, oidcSignup } = variables;
  const [issuer, clientId, clientSecret] = [read(oidcIssuer), read(oidcClientId), read(oidcClientSecret)];
  const [name, ownSignup] = [read(oidcName), read(oidcSignup)];
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined) {
    const host = URL.canParse(issuer) ? new URL(issuer).host : issuer;
    return { issuer, clientId, clientSecret, name: name ?? host, signup: ownSignup ?? signup };
  }
  if ([issuer, clientId, clientSecret, name, ownSignup].some((value) => value !== undefined)) {
    for (const [value, { name: missing, example }] of [
      [issuer, oidcIssuer],
      [clientId, oidcClientId],
      [clientSecret, oidcClientSecret],
    ] as const) {
      if (value !== undefined) continue;
      problems.push(
        `${missing} is missing, while other STOA_OIDC_ settings are present, e.g. ${missing}=${example}`,
      );
    }
  }
  return null;
}

function blobsOf(location: ObjectLocation | undefined): BlobSettings {
  return location === undefined ? { kind: 'disk' } : { kind: 's3', location };
}

/** By number, because `localhost` may resolve to ::1 first, where no server listens. */
function localUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Without a public address the server is used on one machine, under any local name. */
function originsOf(config: Config, onlyLocal: boolean): readonly string[] {
  const origins = [config.baseUrl, config.appUrl].map((url) => new URL(url).origin);
  if (onlyLocal) {
    for (const name of ['localhost', '[::1]']) origins.push(`http://${name}:${config.port}`);
  }
  return [...new Set(origins)];
}
