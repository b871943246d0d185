import { z } from 'zod';
import { poolSizeMin } from '../storage/postgres/pool-size.ts';
import { databaseUrl } from './database-url.ts';
import { readPlansFile } from './plans-file.ts';
import {
  blobUrl,
  hostNames,
  httpUrl,
  issuer,
  oneOf,
  tracesUrl,
  trustedProxies,
  wholeNumber,
} from './values.ts';

function setting<Schema extends z.ZodType>(description: string, example: string, schema: Schema): Schema {
  return schema.meta({ description, example });
}

/** Every variable that the server reads, with its meaning and an example, in the order of docs/operations.md. */
export const variables = z.strictObject({
  STOA_HOST: setting('the address to listen on', '0.0.0.0', z.string().default('127.0.0.1')),
  STOA_PORT: setting('the port to listen on', '4700', wholeNumber(0, 65_535).default(4700)),
  STOA_DATA_DIR: setting(
    'the directory for all data that is not in the database or object store named below',
    '/var/lib/stoa',
    z.string().default('./data'),
  ),
  STOA_DATABASE_URL: setting(
    'a PostgreSQL database for the rows, which several nodes may share; unset for SQLite in the data directory',
    'postgres://stoa:password@db.example.org:5432/stoa',
    databaseUrl.optional(),
  ),
  STOA_DATABASE_POOL: setting(
    'the number of connections of this node to that database, in addition to one for notifications',
    '20',
    wholeNumber(poolSizeMin, 1000).optional(),
  ),
  STOA_BLOB_URL: setting(
    'an S3-compatible store for contents above 64 KiB; unset for the data directory, which all nodes must then share',
    's3://bucket/stoa?endpoint=https://objects.example.org&region=eu-central-1',
    blobUrl.optional(),
  ),
  STOA_SECRET: setting(
    'the secret that signs sessions and derives share link addresses, the same on all nodes; unset: one is generated and stored',
    'the-output-of-openssl-rand-hex-32',
    z
      .string()
      .regex(/^[\x21-\x7e]{32,256}$/, 'must have 32 to 256 printable ASCII characters without spaces')
      .optional(),
  ),
  STOA_BASE_URL: setting('the public address of the API', 'https://files.example.org', httpUrl.optional()),
  STOA_APP_URL: setting('the public address of the web app', 'https://files.example.org', httpUrl.optional()),
  STOA_CONTENT_URL: setting(
    'a second public address of this server, used only to show shared HTML',
    'https://content.example.net',
    httpUrl.optional(),
  ),
  STOA_SIGNUP: setting('the sign-up policy', 'open', oneOf('first', 'open', 'closed').default('first')),
  STOA_OIDC_ISSUER: setting(
    'the issuer of an OpenID Connect provider for sign-in; unset for passwords only',
    'https://login.example.org/realms/staff',
    issuer.optional(),
  ),
  STOA_OIDC_CLIENT_ID: setting(
    'the client id of this server at that provider',
    'stoa',
    z.string().optional(),
  ),
  STOA_OIDC_CLIENT_SECRET: setting(
    'the client secret for that id',
    'the-secret-of-the-provider',
    z.string().optional(),
  ),
  STOA_OIDC_NAME: setting(
    'the display name of that provider, for the button on the sign-in page',
    'Example staff',
    z
      .string()
      .regex(/^[^\p{C}]{1,60}$/u, 'must be one line of at most 60 characters')
      .optional(),
  ),
  STOA_OIDC_SIGNUP: setting(
    'the sign-up policy for users of that provider; unset: as STOA_SIGNUP',
    'open',
    oneOf('first', 'open', 'closed').optional(),
  ),
  STOA_SIGNIN_LIMIT: setting(
    'sign-in and sign-up attempts per minute and address, 0 for no limit',
    '20',
    wholeNumber(0, 1_000_000).default(20),
  ),
  STOA_PLANS: setting(
    'a JSON file of plans and their limits',
    '/etc/stoa/plans.json',
    z.string().transform(readPlansFile).optional(),
  ),
  STOA_MAX_FILE_BYTES: setting(
    'the largest file, in bytes',
    '100000000',
    wholeNumber(1, 1_000_000_000_000).default(100_000_000),
  ),
  STOA_SEED_WORKSPACES: setting(
    'whether a new workspace starts with a README.md and an AGENTS.md',
    'true',
    oneOf('true', 'false')
      .transform((text) => text === 'true')
      .default(true),
  ),
  STOA_ALLOWED_HOSTS: setting(
    'further host names that requests may be addressed to, separated by commas',
    'stoa,stoa.internal',
    hostNames,
  ),
  STOA_TRUST_PROXY: setting(
    'the proxies whose X-Forwarded-For is trusted: addresses, ranges or loopback, separated by commas',
    '10.0.0.0/8,loopback',
    trustedProxies,
  ),
  STOA_AUDIT_RETENTION_DAYS: setting(
    'the number of days to keep the audit log, 0 for ever',
    '365',
    wholeNumber(0, 36_500).default(365),
  ),
  STOA_SCRUB_DAYS: setting(
    'the number of days within which every stored byte is read again and its hash compared, 0 for never',
    '30',
    wholeNumber(0, 3650).default(30),
  ),
  STOA_SCRUB_BACKUP: setting(
    'a backup directory from which damaged contents are restored; unset: they are quarantined',
    '/backups/stoa',
    z.string().optional(),
  ),
  STOA_LOG_LEVEL: setting(
    'the level of the log',
    'info',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent').default('info'),
  ),
  STOA_LOG_FORMAT: setting(
    'the format of the log; unset: text on a terminal, otherwise json',
    'json',
    oneOf('text', 'json').optional(),
  ),
  STOA_DRAIN_SECONDS: setting(
    'the time in seconds for which a stopping server still serves requests, with its health at 503, so that a load balancer notices',
    '10',
    wholeNumber(0, 300).default(0),
  ),
  STOA_METRICS_PORT: setting(
    'a port for Prometheus metrics, on the same address; unset for none',
    '9470',
    wholeNumber(1, 65_535).optional(),
  ),
  STOA_TRACES_URL: setting(
    'the address of a collector that takes traces by OTLP over HTTP; unset for none',
    'http://127.0.0.1:4318/v1/traces',
    tracesUrl.optional(),
  ),
  STOA_TRACES_RATIO: setting(
    'the traced fraction of requests, from 0 to 1',
    '0.1',
    z
      .string()
      .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, 'must be a number from 0 to 1, such as 0.1')
      .transform(Number)
      .optional(),
  ),
});

export type VariableName = keyof typeof variables.shape;

export const variableNames: readonly VariableName[] = variables.keyof().options;

/** `STOA_PORT=4700`. */
export function exampleOf(name: VariableName): string {
  return `${name}=${variables.shape[name].meta()?.example}`;
}
