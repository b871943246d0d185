import { z } from 'zod';
import { type ObjectLocation, parseBlobUrl } from '../storage/blobs/s3/parse-blob-url.ts';
import { poolSizeMin } from '../storage/postgres/pool-size.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { parseHostNames, parseHttpUrl, parseIssuer, parseTracesUrl, parseTrustedProxies } from './values.ts';

/** One environment variable: its parser, its meaning, and a valid example. */
export interface Variable<Value> {
  readonly name: string;
  readonly says: string;
  readonly example: string;
  readonly schema: z.ZodType<Value, string | undefined>;
}

function variable<Value>(
  name: string,
  says: string,
  example: string,
  schema: z.ZodType<Value, string | undefined>,
): Variable<Value> {
  return { name, says, example, schema };
}

const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${from} to ${to}`)
    .transform(Number)
    .refine((value) => value >= from && value <= to, `must be a whole number from ${from} to ${to}`);

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Sign-up policies: only the first account and people with an invite, everyone, or no one. */
const signupPolicies = ['first', 'open', 'closed'] as const;

const oneOf = <Value extends string>(values: readonly Value[]) =>
  z.enum(values, `must be one of ${values.join(', ')}`);

const blobUrl = z.string().transform((text, context): ObjectLocation => {
  try {
    return parseBlobUrl(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'is unreadable' });
    return z.NEVER;
  }
});

/** Every variable that the server reads, in the order of the table in docs/operations.md. */
export const variables = {
  host: variable(
    'STOA_HOST',
    'the address to listen on',
    '0.0.0.0',
    z.string().min(1, 'must be an address or a host name').default('127.0.0.1'),
  ),
  port: variable('STOA_PORT', 'the port to listen on', '4700', wholeNumber(0, 65_535).default(4700)),
  httpThreads: variable(
    'STOA_HTTP_THREADS',
    'the number of threads that serve requests, with SQLite; unset: one less than the number of cores, at most 8',
    '4',
    wholeNumber(1, 64).optional(),
  ),
  dataDir: variable(
    'STOA_DATA_DIR',
    'the directory for all data that is not in the database or object store named below',
    '/var/lib/stoa',
    z.string().min(1, 'must name a directory').default('./data'),
  ),
  databaseUrl: variable(
    'STOA_DATABASE_URL',
    'a PostgreSQL database for the rows, which several nodes may share; unset for SQLite in the data directory',
    'postgres://stoa:password@db.example.org:5432/stoa',
    z.string().transform(parseDatabaseUrl).optional(),
  ),
  databasePool: variable(
    'STOA_DATABASE_POOL',
    'the number of connections of this node to that database, in addition to one for notifications',
    '20',
    wholeNumber(poolSizeMin, 1000).optional(),
  ),
  blobUrl: variable(
    'STOA_BLOB_URL',
    'an S3-compatible store for contents above 64 KiB; unset for the data directory, which all nodes must then share',
    's3://bucket/stoa?endpoint=https://objects.example.org&region=eu-central-1',
    blobUrl.optional(),
  ),
  secret: variable(
    'STOA_SECRET',
    'the secret that signs sessions and derives share link addresses, the same on all nodes; unset: one is generated and stored',
    'the-output-of-openssl-rand-hex-32',
    z
      .string()
      .regex(/^[\x21-\x7e]{32,256}$/, 'must have 32 to 256 printable ASCII characters without spaces')
      .optional(),
  ),
  baseUrl: variable(
    'STOA_BASE_URL',
    'the public address of the API',
    'https://files.example.org',
    z.string().transform(parseHttpUrl).optional(),
  ),
  appUrl: variable(
    'STOA_APP_URL',
    'the public address of the web app',
    'https://files.example.org',
    z.string().transform(parseHttpUrl).optional(),
  ),
  contentUrl: variable(
    'STOA_CONTENT_URL',
    'a second public address of this server, used only to show shared HTML',
    'https://content.example.net',
    z.string().transform(parseHttpUrl).optional(),
  ),
  signup: variable('STOA_SIGNUP', 'the sign-up policy', 'open', oneOf(signupPolicies).default('first')),
  oidcIssuer: variable(
    'STOA_OIDC_ISSUER',
    'the issuer of an OpenID Connect provider for sign-in; unset for passwords only',
    'https://login.example.org/realms/staff',
    z.string().transform(parseIssuer).optional(),
  ),
  oidcClientId: variable(
    'STOA_OIDC_CLIENT_ID',
    'the client id of this server at that provider',
    'stoa',
    z.string().optional(),
  ),
  oidcClientSecret: variable(
    'STOA_OIDC_CLIENT_SECRET',
    'the client secret for that id',
    'the-secret-of-the-provider',
    z.string().optional(),
  ),
  oidcName: variable(
    'STOA_OIDC_NAME',
    'the display name of that provider, for the button on the sign-in page',
    'Example staff',
    z
      .string()
      .regex(/^[^\p{C}]{1,60}$/u, 'must be one line of at most 60 characters')
      .optional(),
  ),
  oidcSignup: variable(
    'STOA_OIDC_SIGNUP',
    'the sign-up policy for users of that provider; unset: as STOA_SIGNUP',
    'open',
    oneOf(signupPolicies).optional(),
  ),
  signinLimit: variable(
    'STOA_SIGNIN_LIMIT',
    'sign-in and sign-up attempts per minute and address, 0 for no limit',
    '20',
    wholeNumber(0, 1_000_000).default(20),
  ),
  plansFile: variable(
    'STOA_PLANS',
    'a JSON file of plans and their limits',
    '/etc/stoa/plans.json',
    z.string().min(1, 'must name a file').optional(),
  ),
  maxFileBytes: variable(
    'STOA_MAX_FILE_BYTES',
    'the largest file, in bytes',
    '100000000',
    wholeNumber(1, 1_000_000_000_000).default(100_000_000),
  ),
  seedWorkspaces: variable(
    'STOA_SEED_WORKSPACES',
    'whether a new workspace starts with a README.md and an AGENTS.md',
    'true',
    oneOf(['true', 'false'])
      .transform((text) => text === 'true')
      .default(true),
  ),
  allowedHosts: variable(
    'STOA_ALLOWED_HOSTS',
    'further host names that requests may be addressed to, separated by commas',
    'stoa,stoa.internal',
    z.string().transform(parseHostNames).default([]),
  ),
  trustProxy: variable(
    'STOA_TRUST_PROXY',
    'the proxies whose X-Forwarded-For is trusted: addresses, ranges or loopback, separated by commas',
    '10.0.0.0/8,loopback',
    z.string().transform(parseTrustedProxies).default([]),
  ),
  auditRetentionDays: variable(
    'STOA_AUDIT_RETENTION_DAYS',
    'the number of days to keep the audit log, 0 for ever',
    '365',
    wholeNumber(0, 36_500).default(365),
  ),
  scrubDays: variable(
    'STOA_SCRUB_DAYS',
    'the number of days within which every stored byte is read again and its hash compared, 0 for never',
    '30',
    wholeNumber(0, 3650).default(30),
  ),
  scrubBackup: variable(
    'STOA_SCRUB_BACKUP',
    'a backup directory from which damaged contents are restored; unset: they are quarantined',
    '/backups/stoa',
    z.string().min(1, 'must name a directory').optional(),
  ),
  logLevel: variable('STOA_LOG_LEVEL', 'the level of the log', 'info', oneOf(logLevels).default('info')),
  logFormat: variable(
    'STOA_LOG_FORMAT',
    'the format of the log; unset: text on a terminal, otherwise json',
    'json',
    oneOf(['text', 'json']).optional(),
  ),
  drainSeconds: variable(
    'STOA_DRAIN_SECONDS',
    'the time in seconds for which a stopping server still serves requests, with its health at 503, so that a load balancer notices',
    '10',
    wholeNumber(0, 300).default(0),
  ),
  metricsPort: variable(
    'STOA_METRICS_PORT',
    'a port for Prometheus metrics, on the same address; unset for none',
    '9470',
    wholeNumber(1, 65_535).optional(),
  ),
  tracesUrl: variable(
    'STOA_TRACES_URL',
    'the address of a collector that takes traces by OTLP over HTTP; unset for none',
    'http://127.0.0.1:4318/v1/traces',
    z.string().transform(parseTracesUrl).optional(),
  ),
  tracesRatio: variable(
    'STOA_TRACES_RATIO',
    'the traced fraction of requests, from 0 to 1',
    '0.1',
    z
      .string()
      .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, 'must be a number from 0 to 1, such as 0.1')
      .transform(Number)
      .optional(),
  ),
};
