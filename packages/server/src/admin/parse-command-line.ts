import { parseArgs } from 'node:util';
import { type Command, UsageError } from './command.ts';
import { commands } from './commands/index.ts';

export type CommandLine =
  | { readonly kind: 'help'; readonly command: Command | null }
  | {
      readonly kind: 'run';
      readonly command: Command;
      readonly operands: readonly string[];
      readonly options: Readonly<Record<string, string | boolean | undefined>>;
      readonly json: boolean;
    };

/** @throws UsageError with the problem, and the help that explains the usage */
export function parseCommandLine(given: readonly string[]): CommandLine {
  const args = given[0] === 'help' ? [...given.slice(1), '--help'] : given;
  // Prefer the longer name: `backup prune` begins like `backup`.
  const [command] = commands
    .filter(({ name }) => args.slice(0, wordsOf(name)).join(' ') === name)
    .toSorted((one, other) => wordsOf(other.name) - wordsOf(one.name));
  if (command === undefined) {
    if (args.length === 0 || args.some((arg) => arg === '--help' || arg === '-h')) {
      return { kind: 'help', command: null };
    }
    throw new UsageError(
      `no command "${args.slice(0, 2).join(' ')}"; \`npm run admin -- --help\` lists the commands`,
    );
  }
  const { values, positionals } = parse(command, args.slice(wordsOf(command.name)));
  const { help, json, ...options } = values;
  if (help === true) return { kind: 'help', command };
  for (const [name, { required }] of Object.entries(command.options)) {
    if (required && options[name] === undefined) throw wrong(command, `--${name} is missing`);
  }
  const missing = command.operands[positionals.length];
  if (missing !== undefined) throw wrong(command, `<${missing}> is missing`);
  const surplus = positionals[command.operands.length];
  if (surplus !== undefined) throw wrong(command, `"${surplus}" is a surplus value`);
  return { kind: 'run', command, operands: positionals, options, json: json === true };
}

const wordsOf = (name: string) => name.split(' ').length;

function parse(command: Command, args: readonly string[]) {
  const declared = Object.entries(command.options).map(([name, { type }]) => [name, { type }] as const);
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        ...Object.fromEntries(declared),
        help: { type: 'boolean', short: 'h' },
        json: { type: 'boolean' },
      },
      allowPositionals: true,
    });
    const single: Record<string, string | boolean | undefined> = {};
    for (const [name, value] of Object.entries(values)) {
      if (!Array.isArray(value)) single[name] = value;
    }
    return { values: single, positionals };
  } catch (error) {
    if (error instanceof TypeError) throw wrong(command, error.message);
    throw error;
  }
}

function wrong(command: Command, problem: string): UsageError {
  return new UsageError(`${problem}; \`npm run admin -- ${command.name} --help\` explains its usage`);
}
