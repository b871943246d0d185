import { type DestinationStream, destination, type Logger, pino } from 'pino';
import type { LogLevel } from '../config/variables.ts';
import { cutSecrets } from './cut-secrets.ts';

/** Text that looks like an API key of ours, in an error's message for instance. */
const keyPattern = /stoa_[A-Za-z0-9_-]{8,}/g;
/** The password in a database's address. */
const addressPattern = /(postgres(?:ql)?:\/\/[^\s"/@:]*:)[^\s"@]*@/g;

/** JSON lines. Records are written in blocks, so that a busy server does not make one system call a request. */
export function createLogger(
  level: LogLevel,
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
