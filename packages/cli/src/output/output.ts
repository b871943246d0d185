import { once } from 'node:events';
import { styleText } from 'node:util';
import type { Failure } from './failure.ts';
import type { Host } from './host.ts';
import { shownText } from './shown-text.ts';

/** How a person asked to be told. */
export interface OutputWishes {
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
 * What a run says. Data goes to standard output, everything else to standard error. The texts that come in are shown as
 * they are: what somebody else could choose in them has been through `shownText`.
 */
export type Output = ReturnType<typeof createOutput>;

export function createOutput(host: Pick<Host, 'env' | 'stdout' | 'stderr'>, wishes: OutputWishes) {
  const { stdout, stderr, env } = host;
  const isColoured = (stream: { readonly isTTY?: boolean }) => hasColour(env, wishes.color, stream);
  const painter = (coloured: boolean) => (style: Style, text: string) =>
    coloured ? styleText(style, text, { validateStream: false }) : text;
  // What stands on the last line of the terminal until something else is said.
  let bar: string | null = null;
  const wipe = '\r\u001b[K';
  const say = (stream: Host['stderr'], text: string) => {
    if (bar !== null) stderr.write(wipe);
    stream.write(text);
    if (bar !== null) stderr.write(bar);
  };
  const complain = (text: string) => say(stderr, `${text}\n`);

  return {
    isJson: wishes.json,
    isQuiet: wishes.quiet,
    isVerbose: wishes.verbose,
    progress: progressWay(stderr.isTTY === true && !env.CI, wishes),
    /** The columns of the terminal that shows the bar. */
    // A terminal that does not know its width says 0.
    barColumns: () => (stderr.columns || 80) - 1,
    /** Shows a line that stays below all that is said, in place of the one before. Null: none. */
    showBar(text: string | null): void {
      if (bar !== null) stderr.write(wipe);
      bar = text;
      if (bar !== null) stderr.write(bar);
    },
    /** Colours a text for standard output. */
    paint: painter(!wishes.json && isColoured(stdout)),

    /** A line of data, for people and shells. With `--json` only `data` speaks. */
    line(text: string): void {
      if (!wishes.json) say(stdout, `${text}\n`);
    },
    /** One object of data, for programs. */
    data(value: object): void {
      if (wishes.json) say(stdout, `${JSON.stringify({ schemaVersion, ...value })}\n`);
    },
    /** Raw bytes of data. Waits for a slow reader. */
    async bytes(chunk: Uint8Array): Promise<void> {
      if (!stdout.write(chunk)) await once(stdout, 'drain');
    },
    /** What a person likes to know, and a script does not miss. */
    note(text: string): void {
      if (!wishes.quiet && !wishes.json) complain(text);
    },
    /** What has to be seen. */
    warn: complain,
    fail(failure: Failure): void {
      const message = shownText(failure.message);
      const next = failure.next === null ? null : shownText(failure.next);
      if (wishes.json) {
        const error = { code: failure.code, message: failure.message, next: failure.next };
        stdout.write(`${JSON.stringify({ schemaVersion, ok: false, error })}\n`);
      } else {
        complain(`${painter(isColoured(stderr))('red', 'stoa:')} ${message}`);
        if (next !== null) complain(`      ${next}`);
      }
      if (wishes.verbose) complain(stackOf(failure));
    },
  };
}

/** A bar that is drawn again and again, a plain line now and then, or nothing. */
function progressWay(canDraw: boolean, { quiet, json, progress }: OutputWishes): 'bar' | 'lines' | 'none' {
  if (quiet || json || !progress) return 'none';
  return canDraw ? 'bar' : 'lines';
}

/** Of the first failure underneath: that of a sentence says nothing. Its lines are our own program's. */
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

/** By `NO_COLOR`, `FORCE_COLOR`, the flag and the terminal, in this order of strength: the flag, then the first two. */
function hasColour(env: Host['env'], isWanted: boolean, { isTTY }: { readonly isTTY?: boolean }): boolean {
  if (!isWanted || env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0';
  return isTTY === true && env.TERM !== 'dumb';
}
