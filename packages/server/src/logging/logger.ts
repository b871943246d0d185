import { type DestinationStream, destination, type Logger, pino } from 'pino';

const redacted = '[redacted]';
/** Text that looks like an API key of ours, in an error's message for instance. */
const keyPattern = /stoa_[A-Za-z0-9_-]{8,}/g;
/** The password in a database's address. */
const addressPattern = /(postgres(?:ql)?:\/\/[^\s"/@:]*:)[^\s"@]*@/g;

/** JSON lines. Records are written in blocks, so that a busy server does not make one system call a request. */
export function createLogger(
  level: string,
  stream: DestinationStream = destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 1000 }),
): Logger {
  return pino(
    {
      level,
      base: null,
      formatters: { level: (label) => ({ level: label }), log: cutSecrets },
      timestamp: isoTimestamp(),
      hooks: {
        streamWrite: cutSecretTexts,
      },
    },
    stream,
  );
}

/** Writes lines of another thread's log, in which no secret is left. */
export function writeBlock(logger: Logger, block: string): void {
  const stream: DestinationStream = Reflect.get(logger, pino.symbols.streamSym);
  stream.write(block);
}

/** Costs two looks at a record that holds no secret, as nearly all do. */
function cutSecretTexts(line: string): string {
  const cut = line.includes('stoa_') ? line.replace(keyPattern, 'stoa_[redacted]') : line;
  return cut.includes('postgres') ? cut.replace(addressPattern, '$1[redacted]@') : cut;
}

/** Formatting a date is dear beside the rest of a record, and many records share a millisecond. */
function isoTimestamp(): () => string {
  let lastTime = Number.NaN;
  let lastText = '';
  return () => {
    const time = Date.now();
    if (time !== lastTime) {
      lastTime = time;
      lastText = `,"time":"${new Date(time).toISOString()}"`;
    }
    return lastText;
  };
}

/** Fields whose values never reach the log, whatever record carries them. */
const secretFields: ReadonlySet<string> = new Set([
  'x-api-key',
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'newpassword',
  'currentpassword',
  'device_code',
  'api_key',
  'apikey',
  'key',
  'secret',
  'token',
]);
/** Deeper than any record of ours: what lies below is left out, so that nothing hides there. */
const depthMax = 5;

/** The record with secret values replaced. Costs a look at each field when there is none, as in most records. */
function cutSecrets(record: Record<string, unknown>): Record<string, unknown> {
  return cutFields(record, 0);
}

function cutFields(record: Record<string, unknown>, depth: number): Record<string, unknown> {
  let cut = record;
  for (const field in record) {
    const value = record[field];
    const shown = secretFields.has(field.toLowerCase()) ? redacted : cutValue(value, depth + 1);
    if (shown === value) continue;
    if (cut === record) cut = { ...record };
    cut[field] = shown;
  }
  return cut;
}

function cutValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  if (depth >= depthMax) return redacted;
  if (Array.isArray(value)) return value.map((item) => cutValue(item, depth + 1));
  return cutFields(Object.fromEntries(Object.entries(value)), depth);
}

/** What follows one of these path segments is a token: anybody who has one can open its link. */
const tokenFolders: ReadonlySet<string> = new Set(['s', 'invites', 'invite']);
/** Numbers that help when reading a log. Every other value of a query is left out, and so are these when not a number. */
const shownParameters: ReadonlySet<string> = new Set(['sinceSeq', 'limit', 'wait', 'version']);
const wholeNumber = /^\d{1,16}$/;

/**
 * A request target, in its origin form, that may be logged: tokens in the path are left out, also where the path only
 * resembles one that is served, and query values that could be secret.
 */
export function redactUrl(target: string): string {
  const [rawPath = '', query] = splitOnce(target, '?');
  const path = redactTokens(rawPath);
  if (query === undefined) return path;
  const parameters = query.split('&').map((parameter) => {
    const [name = '', value] = splitOnce(parameter, '=');
    if (value === undefined) return redacted;
    return shownParameters.has(name) && wholeNumber.test(value) ? parameter : `${name}=${redacted}`;
  });
  return `${path}?${parameters.join('&')}`;
}

function redactTokens(path: string): string {
  let before = '';
  return path
    .split('/')
    .map((segment) => {
      const shown = segment !== '' && tokenFolders.has(before) ? redacted : segment;
      // Slashes may be doubled.
      if (segment !== '') before = decoded(segment).toLowerCase();
      return shown;
    })
    .join('/');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
