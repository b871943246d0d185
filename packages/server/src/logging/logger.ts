import { escapeJson } from '@stoa/core';
import { type DestinationStream, destination, type Logger, pino } from 'pino';

const redacted = '[redacted]';
/** Matches our API keys in text, for instance in an error's message. */
const keyPattern = /stoa_[A-Za-z0-9_-]{8,}/g;
/** Matches the password in a database's address. */
const addressPattern = /(postgres(?:ql)?:\/\/[^\s"/@:]*:)[^\s"@]*@/g;

const notAscii = /[^\0-~]/;

/** Creates a log of JSON lines. */
export function createLogger(level: string, stream: DestinationStream = standardOutput(false)): Logger {
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

/**
 * @param isTerminal whether each line is shown at once. Otherwise lines are written in blocks, so that a busy server
 *   does not make a system call for each request.
 */
export function standardOutput(isTerminal: boolean) {
  const blocks = isTerminal ? {} : { minLength: 4096, periodicFlush: 1000 };
  return destination({ fd: 1, sync: false, ...blocks });
}

/** Two searches for a line without secrets, which is nearly every line. */
function cutSecretTexts(line: string): string {
  const cut = line.includes('stoa_') ? line.replace(keyPattern, 'stoa_[redacted]') : line;
  const left = cut.includes('postgres') ? cut.replace(addressPattern, '$1[redacted]@') : cut;
  // Operators read logs on terminals. Nearly all lines are ASCII, in which JSON has escaped the control characters.
  return notAscii.test(left) ? escapeJson(left) : left;
}

/** Formatting a date is expensive compared with the rest of a record, and many records share a millisecond. */
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

/** Fields whose values are never logged, in any record. */
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
/** Deeper than any record of ours. Deeper values are dropped, so that nothing hides there. */
const depthMax = 5;

/** Replaces secret values in a record. A record without secrets, as most are, costs one look at each field. */
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

/** The segment after one of these is a token, and anyone with it can open its link. */
const tokenFolders: ReadonlySet<string> = new Set(['s', 'invites', 'invite']);
/**
 * Numbers that help when reading a log. All other values of a query are redacted, and so are these if they are not
 * numbers.
 */
const shownParameters: ReadonlySet<string> = new Set(['sinceSeq', 'limit', 'wait', 'version']);
const wholeNumber = /^\d{1,16}$/;

/**
 * Returns a request target, in origin form, that may be logged. Tokens in the path are redacted, even if the path
 * only resembles a route. So are the values of a query, except for the numbers in `shownParameters`.
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
      // Slashes may be repeated.
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
