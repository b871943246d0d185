import assert from 'node:assert/strict';

/** One command of a page, with its output on the page. */
export interface Step {
  readonly command: string;
  /** Without the line break at its end; empty if there is no output. */
  readonly printed: string;
  /** The line of the command, from 1. */
  readonly line: number;
}

/**
 * Returns the commands of a page's `console` blocks in order. `$ ` begins a command and `> ` continues it. All other
 * lines up to the next command are its output.
 */
export function parseTranscript(markdown: string): readonly Step[] {
  const steps: { command: string[]; printed: string[]; line: number }[] = [];
  let inside = false;
  for (const [index, text] of markdown.split('\n').entries()) {
    const line = index + 1;
    if (text.startsWith('```')) {
      inside = text === '```console';
    } else if (inside && text.startsWith('$ ')) {
      steps.push({ command: [text.slice(2)], printed: [], line });
    } else if (inside) {
      const step = steps.at(-1);
      assert.ok(step, `line ${line}: a transcript begins with a command`);
      const goesOn = text.startsWith('> ') && step.printed.length === 0;
      if (goesOn) step.command.push(text.slice(2));
      else step.printed.push(text);
    }
  }
  return steps.map(({ command, printed, line }) => ({
    command: command.join('\n'),
    printed: printed.join('\n'),
    line,
  }));
}

/** The values of a page's placeholders, filled at their first use. */
export type Bindings = Map<string, string>;

/**
 * Whether the output of a command matches the page. `<word>` stands for a value without spaces or quotes, the same one
 * at every use of that word. `…` stands for anything within a line.
 */
export function matchesPrinted(printed: string, actual: string, bindings: Bindings): boolean {
  const fresh: string[] = [];
  const pattern = printed.split(/(<[a-z]+>|…)/).map((part, index) => {
    if (index % 2 === 0) return RegExp.escape(part);
    if (part === '…') return '[^\\n]*';
    const known = bindings.get(part);
    if (known !== undefined) return RegExp.escape(known);
    const location = fresh.indexOf(part);
    if (location >= 0) return `\\${location + 1}`;
    fresh.push(part);
    return '([^\\s"]+)';
  });
  const found = new RegExp(`^${pattern.join('')}$`).exec(actual);
  for (const [index, name] of fresh.entries()) {
    const value = found?.[index + 1];
    if (value !== undefined) bindings.set(name, value);
  }
  return found !== null;
}
