import { shownText } from '@stoa/core';
import type { DestinationStream } from 'pino';

type Fields = Readonly<Record<string, unknown>>;

const detailedLevels: readonly unknown[] = ['trace', 'debug'];
const routineRoutes = /^\/(?:assets\/|api\/(?:health|device\/poll)$)/;
const faultLevels: readonly unknown[] = ['error', 'fatal'];
/** Ids that find the other records of a request, which a reader rarely needs unless it failed. */
const ids: ReadonlySet<string> = new Set(['requestId', 'userId', 'keyId', 'traceId']);

/**
 * Formats the JSON lines of a log as text for people.
 * @param level the level of the log: `debug` and `trace` also show the settings, all ids and all stacks
 */
export function readableLines(
  level: string,
  output: DestinationStream & { flushSync?(): void },
): DestinationStream & { flushSync(): void } {
  const isDetailed = detailedLevels.includes(level);
  return {
    write(lines) {
      for (const line of lines.split('\n')) {
        if (line === '') continue;
        const record: Fields = JSON.parse(line);
        if (isDetailed || !isRoutine(record)) output.write(readableRecord(record, isDetailed));
      }
    },
    // pino calls it after a fatal error.
    flushSync: () => output.flushSync?.(),
  };
}

/** Requests that programs send all the time would hide the others. */
function isRoutine({ level, route, status }: Fields): boolean {
  return level === 'info' && Number(status) < 400 && routineRoutes.test(String(route));
}

/** `2026-11-30 14:35:02 WARN  message: reason field=value`, in local time; settings and stack are indented below. */
function readableRecord(record: Fields, isDetailed: boolean): string {
  const { time, level, msg = '', err, settings, method, route, status, durationMs, ...others } = record;
  const hasIds = isDetailed || faultLevels.includes(level);
  const hasStack = isFields(err) && (isDetailed || isUnexpected(err, level));
  const head = [
    // Swedish dates look like ISO 8601.
    new Date(String(time)).toLocaleString('sv'),
    String(level).toUpperCase().padEnd(5),
    hasStack || err === undefined || err === null ? msg : `${msg}: ${reasonOf(err)}`,
    ...(route === undefined ? [] : [method, route, status, `${durationMs} ms`]),
    ...Object.entries(others)
      .filter(([name]) => hasIds || !ids.has(name))
      .map(([name, value]) => `${name}=${valueText(value)}`),
  ];
  const below = [
    ...(isDetailed && isFields(settings) ? Object.entries(settings).map((pair) => pair.join('=')) : []),
    ...(hasStack ? String(err.stack).split('\n') : []),
  ];
  // Only the first line of a record begins at the margin, so no text of others can pose as a record.
  return [head.join(' '), ...below.map((line) => `    ${line}`)]
    .map((line) => `${shownText(line)}\n`)
    .join('');
}

/** An error with a code reports a known state of the system or of a store, unless it failed a whole request. */
function isUnexpected({ name, code }: Fields, level: unknown): boolean {
  if (name === 'WorkspaceError') return false;
  return faultLevels.includes(level) || typeof code !== 'string' || code.startsWith('ERR_');
}

function reasonOf(error: unknown): unknown {
  return isFields(error) ? error.message || error.code : error;
}

function valueText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return /^[^\s"=]+$/.test(value) ? value : `"${value.replaceAll('"', '\\"')}"`;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
