import { once } from 'node:events';
import { styleText } from 'node:util';
import { escapeJson } from '@stoa/core';
import type { Failure } from './failure.ts';
import type { Host } from './host.ts';
import { shownText } from './shown-text.ts';

/** Output options given by the user. */
export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** False with `--no-color`. */
  readonly color: boolean;
  /** False with `--no-progress`. */
  readonly progress: boolean;
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

const schemaVersion = 1;

/**
 * The output of a run. Data goes to standard output, everything else to standard error. Callers pass text from other
 * users through `shownText`. If they forget, the text can only add lines and colours.
 */
export type Output = ReturnType<typeof createOutput>;

export function createOutput(host: Pick<Host, 'env' | 'stdout' | 'stderr'>, options: OutputOptions) {
  const { stdout, stderr, env } = host;
  const isColoured = (stream: { readonly isTTY?: boolean }) => hasColour(env, options.color, stream);
  const painter = (coloured: boolean) => (style: Style, text: string) =>
    coloured ? styleText(style, text, { validateStream: false }) : text;
  // The last line of the terminal, until something else is printed.
  let bar: string | null = null;
  const wipe = '\r\u001b[K';
  const say = (stream: Host['stderr'], text: string) => {
    if (bar !== null) stderr.write(wipe);
    stream.write(`${text}\n`);
    if (bar !== null) stderr.write(bar);
  };
  const complain = (text: string) => say(stderr, shownLines(text));

  return {
    isJson: options.json,
    isQuiet: options.quiet,
    isVerbose: options.verbose,
    progress: progressWay(stderr.isTTY === true && !env.CI, options),
    /** Number of columns of the terminal that shows the bar. */
    // A terminal of unknown width reports 0.
    barColumns: () => (stderr.columns || 80) - 1,
    /** Shows a line below all other output and replaces the previous one. Null removes it. */
    showBar(text: string | null): void {
      if (bar !== null) stderr.write(wipe);
      bar = text;
      if (bar !== null) stderr.write(bar);
    },
    /** Colours text for standard output. */
    paint: painter(!options.json && isColoured(stdout)),

    /** Prints a line of data for users and shells. With `--json`, only `data` prints. */
    line(text: string): void {
      if (!options.json) say(stdout, shownLines(text));
    },
    /** Prints one object of data for programs. */
    data(value: object): void {
      if (options.json) say(stdout, shownJson({ schemaVersion, ...value }));
    },
    /** Prints raw bytes of data. Waits for a slow reader. */
    async bytes(chunk: Uint8Array): Promise<void> {
      if (!stdout.write(chunk)) await once(stdout, 'drain');
    },
    /** Prints information that users like and scripts do not need. */
    note(text: string): void {
      if (!options.quiet && !options.json) complain(text);
    },
    /** Prints a message that must not be missed. */
    warn: complain,
    fail(failure: Failure): void {
      const message = shownText(failure.message);
      const next = failure.next === null ? null : shownText(failure.next);
      if (options.json) {
        const error = { code: failure.code, message: failure.message, next: failure.next };
        say(stdout, shownJson({ schemaVersion, ok: false, error }));
      } else {
        complain(`${painter(isColoured(stderr))('red', 'stoa:')} ${message}`);
        if (next !== null) complain(`      ${next}`);
      }
      if (options.verbose) complain(stackOf(failure));
    },
  };
}

/** Matches the codes that `styleText` adds. */
const colour = /(\p{Cc}\[\d+m)/u;

function shownLines(text: string): string {
  const shown = (line: string) =>
    line
      .split(colour)
      .map((part, at) => (at % 2 === 1 && part.startsWith('\u001b') ? part : shownText(part)))
      .join('');
  return text.split('\n').map(shown).join('\n');
}

function shownJson(value: object): string {
  return escapeJson(JSON.stringify(value));
}

/** A bar that is redrawn, a plain line at intervals, or nothing. */
function progressWay(canDraw: boolean, { quiet, json, progress }: OutputOptions): 'bar' | 'lines' | 'none' {
  if (quiet || json || !progress) return 'none';
  return canDraw ? 'bar' : 'lines';
}

/**
 * Stack of the innermost cause, because that of a `Failure` is of no use. All lines of a stack are from this program.
 */
function stackOf(failure: Failure): string {
  let deepest: unknown = failure;
  for (let depth = 0; depth < 10 && deepest instanceof Error && deepest.cause !== undefined; depth += 1) {
    deepest = deepest.cause;
  }
  const text = deepest instanceof Error ? (deepest.stack ?? deepest.message) : String(deepest);
  return text
    .split('\n')
    .map((line) => shownText(line))
    .join('\n');
}

/** Whether to use colours. The flag takes precedence, then `NO_COLOR`, then `FORCE_COLOR`, then the terminal. */
function hasColour(env: Host['env'], isWanted: boolean, { isTTY }: { readonly isTTY?: boolean }): boolean {
  if (!isWanted || env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0';
  return isTTY === true && env.TERM !== 'dumb';
}
