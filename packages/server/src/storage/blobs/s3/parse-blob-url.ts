/** Location of large contents in an S3-compatible store. Contains no secret. */
export interface ObjectLocation {
  readonly bucket: string;
  /**
   * Prefix of all names, without a leading or trailing slash; empty for the whole bucket. One installation, one prefix.
   */
  readonly prefix: string;
  /** Null for Amazon's own. */
  readonly endpoint: string | null;
  /** Null: as in the machine's AWS settings. */
  readonly region: string | null;
  /** Whether the bucket is in the path instead of the host name. */
  readonly pathStyle: boolean;
}

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const prefixName = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}(\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}){0,7}$/;
const regionName = /^[A-Za-z0-9-]{1,64}$/;
const parameters: readonly string[] = ['endpoint', 'region', 'pathStyle'];

/**
 * Parses `s3://bucket/prefix?endpoint=https://host:port&region=…&pathStyle=true`. A custom store (`endpoint`) is
 * addressed by path unless `pathStyle=false`.
 * @throws Error that says what to write instead.
 */
export function parseBlobUrl(text: string): ObjectLocation {
  if (!URL.canParse(text)) throw new Error(`must look like ${example}`);
  const url = new URL(text);
  if (url.protocol !== 's3:') throw new Error(`must begin with s3://, like ${example}`);
  if (url.username !== '' || url.password !== '') throw new Error(noCredentials);
  if (url.port !== '' || url.hash !== '') throw new Error(`must look like ${example}`);
  if (!bucketName.test(url.hostname))
    throw new Error('must name a bucket: lower-case letters, digits, dots, hyphens');
  const prefix = url.pathname.replace(/^\/|\/$/g, '');
  if (prefix !== '' && !prefixName.test(prefix)) {
    throw new Error(
      'must have a prefix of letters, digits, dots, hyphens and underscores, at most 8 folders',
    );
  }
  const endpoint = parseEndpoint(parameterOf(url, 'endpoint'));
  const region = parameterOf(url, 'region');
  if (region !== null && !regionName.test(region)) throw new Error('must name a region like eu-central-1');
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined)
    throw new Error(`takes ${parameters.join(', ')} after the question mark, nothing else`);
  const pathStyle = parsePathStyle(parameterOf(url, 'pathStyle'), endpoint);
  return { bucket: url.hostname, prefix, endpoint, region, pathStyle };
}

const example = 's3://bucket/prefix?endpoint=https://objects.example.org&region=eu-central-1';
const noCredentials =
  'must not contain credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use the role of the machine';

function parameterOf(url: URL, name: string): string | null {
  const values = url.searchParams.getAll(name);
  if (values.length > 1) throw new Error(`must name its ${name} once`);
  return values[0] ?? null;
}

function parseEndpoint(text: string | null): string | null {
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && (url.username !== '' || url.password !== '')) throw new Error(noCredentials);
  const isAddress = url !== null && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/';
  if (!isAddress || url.search !== '' || url.hash !== '') {
    throw new Error('must have an endpoint like https://host:port, without a path');
  }
  return url.origin;
}

function parsePathStyle(text: string | null, endpoint: string | null): boolean {
  if (text === null) return endpoint !== null;
  if (text !== 'true' && text !== 'false') throw new Error('must have pathStyle=true or pathStyle=false');
  return text === 'true';
}
