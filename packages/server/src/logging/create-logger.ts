import { type DestinationStream, destination, type Logger, pino } from 'pino';
import type { LogLevel } from '../config/variables.ts';

/** Fields that are cut out wherever a log record carries them, at the top or one level down. */
const secretFields = [
  'x-api-key',
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'newPassword',
  'currentPassword',
  'device_code',
  'api_key',
  'key',
  'token',
] as const;

const secretPaths = secretFields.flatMap((field) => [
  `["${field}"]`,
  `*["${field}"]`,
  `*.headers["${field}"]`,
]);

/** Text that looks like an API key of ours, in an error's message for instance. */
const keyPattern = /stoa_[A-Za-z0-9_-]{8,}/g;

/** JSON lines. Records are written in blocks, so that a busy server does not make one system call a request. */
export function createLogger(
  level: LogLevel,
  stream: DestinationStream = destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 1000 }),
): Logger {
  return pino(
    {
      level,
      base: null,
      redact: { paths: [...secretPaths], censor: '[redacted]' },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      hooks: {
        streamWrite: (line) => (line.includes('stoa_') ? line.replace(keyPattern, 'stoa_[redacted]') : line),
      },
    },
    stream,
  );
}
