import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));
const causesMax = 4;

/** Formats an error for a reader: the message, then the locations in this repository, without frames of libraries. */
export function describeError(error: unknown): string {
  const lines: string[] = [];
  let current = unwrapped(error);
  for (let depth = 0; depth < causesMax && current !== undefined; depth += 1) {
    const before = depth === 0 ? '' : 'caused by: ';
    if (!(current instanceof Error)) {
      lines.push(`${before}${typeof current === 'string' ? current : inspect(current)}`);
      break;
    }
    lines.push(`${before}${headingOf(current)}`, ...framesOf(current.stack ?? ''));
    if (current instanceof AggregateError) {
      lines.push(...current.errors.map((each) => `one of them: ${String(each)}`));
    }
    current = current.cause;
  }
  return lines.join('\n');
}

/** Returns the output of a failed test process without the frames of Node. */
export function withoutRunner(text: string): string {
  const noise =
    /^\s+at .*\bnode:|^node:internal\/|^\s+throw \w+;|^\s+\^$|^Node\.js v|ExperimentalWarning|--trace-warnings/;
  return text
    .split('\n')
    .filter((line) => line.trim() !== '' && !noise.test(line))
    .map((line) => `${line.replaceAll(`file://${root}`, '')}\n`)
    .join('');
}

/** Returns the error of the test, which the runner wraps into its own error. */
function unwrapped(error: unknown): unknown {
  const isRunners = error instanceof Error && 'failureType' in error;
  return isRunners && error.cause !== undefined ? error.cause : error;
}

function headingOf(error: Error): string {
  if (error.name === 'AssertionError') return error.message;
  const code =
    'code' in error && !error.message.includes(String(error.code)) ? ` (${String(error.code)})` : '';
  return `${error.name}: ${error.message}${code}`;
}

function framesOf(stack: string): readonly string[] {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && line.includes(root) && !line.includes('node_modules'))
    .map((line) => `    ${line.trim().replace(`file://${root}`, '').replace(root, '')}`);
}
