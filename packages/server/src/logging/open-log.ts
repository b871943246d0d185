import { isatty } from 'node:tty';
import type { Logger } from 'pino';
import type { Config } from '../config/parse-config.ts';
import { createLogger, standardOutput } from './logger.ts';
import { readableLines } from './readable-lines.ts';

/** Opens the log on standard output: by default readable lines on a terminal, else JSON lines. */
export function openLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Logger {
  const isTerminal = isatty(1);
  const output = standardOutput(isTerminal);
  const format = logFormat ?? (isTerminal ? 'text' : 'json');
  return createLogger(logLevel, format === 'text' ? readableLines(logLevel, output) : output);
}
