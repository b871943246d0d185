import { Command, CommanderError, Help, Option } from 'commander';
import { type CommandGroup, commandFilesFor } from './commands/command-files.ts';
import type { Action, CommandTools, Context } from './commands/context.ts';
import { examplesText } from './commands/examples.ts';
import { description, version } from './output/about.ts';
import { type ExitCode, exitCodes } from './output/exit-codes.ts';
import { Failure } from './output/failure.ts';
import type { Host } from './output/host.ts';
import { createOutput, type OutputOptions } from './output/output.ts';

interface GlobalFlags {
  readonly dir?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly color?: boolean;
  readonly progress?: boolean;
  readonly yes?: boolean;
}

const completionDescription = 'print a completion script: bash, zsh, fish, powershell';
const globalFlags: readonly (readonly [string, string])[] = [
  ['-C, --dir <dir>', 'linked folder to use (default: the current one)'],
  ['--json', 'print one JSON object instead of text'],
  ['-q, --quiet', 'print only results and errors'],
  ['-v, --verbose', 'print more, and where an error came from'],
  ['--no-color', 'no colours'],
  ['--no-progress', 'no progress'],
  ['-y, --yes', 'confirm every question'],
];

/** Runs one command and reports its result on the host's streams. @returns the exit code */
export async function runProgram(host: Host, args: readonly string[]): Promise<number> {
  let code: ExitCode = exitCodes.done;
  try {
    const program = await createProgram(host, commandFilesFor(args), (ended) => {
      code = ended;
    });
    const [first] = args;
    let words = args;
    const [, asked = '-'] = first === 'help' ? args : [];
    const isKnown = (name: string) =>
      program.commands.some((one) => one.name() === name || one.aliases().includes(name));
    if (!asked.startsWith('-') && !['help', 'completion'].includes(asked) && !isKnown(asked)) {
      throw unknownHelp(asked);
    }
    if (first === 'completion' || first === 'complete') {
      const { addCompletion, takeFolder } = await import('./commands/completion.ts');
      await addCompletion(program, host, args);
      if (first === 'complete') words = takeFolder(args).rest;
    } else {
      // For the help only. The library that writes completion scripts is loaded on request.
      program
        .command('completion')
        .description(completionDescription)
        .argument('<shell>')
        .helpGroup('Shell:');
    }
    // Commander treats `stoa` alone as an error. Show the help instead.
    await program.parseAsync(words.length === 0 ? ['help'] : [...words], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    const failure =
      error instanceof CommanderError
        ? usageFailure(error, args)
        : (await import('./commands/failure-of.ts')).failureOf(error);
    createOutput(host, optionsOf(typedFlags(args))).fail(failure);
    return failure.exit;
  }
}

/** Creates `stoa` with these commands and runs none of them. */
export async function createProgram(
  host: Host,
  groups: readonly CommandGroup[],
  end: (code: ExitCode) => void,
): Promise<Command> {
  const program = new Command('stoa')
    .description(description)
    .version(version, '-V, --version', 'show the version of this program')
    // In `cat --version 3` the flag is that of the command. After the name of a command its own flags count.
    .enablePositionalOptions()
    .helpCommand('help [command]', 'show a command and its options')
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ formatHelp: helpText, subcommandTerm })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void host.stdout.write(text),
      writeErr: (text) => void host.stderr.write(text),
      getOutHelpWidth: () => host.stdout.columns || 80,
      getErrHelpWidth: () => host.stderr.columns || 80,
      outputError: () => {},
    });
  addGlobalFlags(program);
  program.addHelpText('after', examplesText('stoa'));
  const tools: CommandTools = {
    command: (name, description) => program.command(name).description(description),
    act: actor(host, program, end),
  };
  for (const [group, files] of groups) {
    // Loaded one after another, because they share most of their imports.
    for (const { load } of files) {
      const add = await load();
      const added = addGlobalFlags(add(tools).helpGroup(group));
      added.addHelpText('after', examplesText(added.name()));
    }
  }
  return program;
}

/** Commander's help text with the global options last. Users look for a command's own options. */
function helpText(command: Command, help: Help): string {
  const sections = Help.prototype.formatHelp
    .call(help, command, help)
    .trimEnd()
    .split(/\n\n(?=\S)/);
  const rankOf = (section: string): number => {
    if (/^(Usage|Arguments):/.test(section) || !/^\S[^\n]*:\n/.test(section)) return 0;
    if (section.startsWith('Options:')) return 2;
    return section.startsWith('Global options:') ? 3 : 1;
  };
  return `${sections.toSorted((one, other) => rankOf(one) - rankOf(other)).join('\n\n')}\n`;
}

/** Omits `[options]`, because all commands have some. */
function subcommandTerm(command: Command): string {
  const words = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [[command.name(), ...command.aliases()].join('|'), ...words].join(' ');
}

/** Adds the flags to a command and its subcommands, after their own so that help shows those first. */
function addGlobalFlags(command: Command): Command {
  for (const inner of command.commands) if (command.parent !== null) addGlobalFlags(inner);
  for (const [flags, description] of globalFlags) {
    command.addOption(new Option(flags, description).helpGroup('Global options:'));
  }
  return command;
}

/** Commander calls an action with its arguments, then the options, then the command. */
function actor(host: Host, program: Command, end: (code: ExitCode) => void): CommandTools['act'] {
  return <Words extends readonly unknown[]>(action: Action<Words>) =>
    async (...given: readonly unknown[]) => {
      const command = given.at(-1);
      if (!(command instanceof Command)) throw new Error('commander gave no command');
      const flags: GlobalFlags = { ...mergedFlags(program, command) };
      const output = createOutput(host, optionsOf(flags));
      const context: Context = { host, output, dir: flags.dir, yes: flags.yes === true };
      // Each command declares the types of its arguments to commander.
      end((await action(context, ...(given.slice(0, -1) as unknown as Words))) ?? exitCodes.done);
    };
}

/** Merges flags before and after the command's name. Defaults are omitted. */
function mergedFlags(program: Command, command: Command): GlobalFlags {
  const merged: Record<string, unknown> = {};
  for (const level of [program, command.parent, command]) {
    if (level === null) continue;
    for (const [name, value] of Object.entries(level.opts())) {
      if (level.getOptionValueSource(name) !== 'default') merged[name] = value;
    }
  }
  return merged;
}

/** Flags of a command line that could not be parsed. */
function typedFlags(args: readonly string[]): GlobalFlags {
  const words = new Set(args.includes('--') ? args.slice(0, args.indexOf('--')) : args);
  return {
    json: words.has('--json'),
    verbose: words.has('-v') || words.has('--verbose'),
    color: !words.has('--no-color'),
  };
}

function optionsOf(flags: GlobalFlags): OutputOptions {
  return {
    json: flags.json === true,
    quiet: flags.quiet === true,
    verbose: flags.verbose === true,
    color: flags.color !== false,
    progress: flags.progress !== false,
  };
}

/** Commander's message, with the nearest valid name as the next step. */
function usageFailure(error: CommanderError, args: readonly string[]): Failure {
  const [reported = '', hint = ''] = error.message.replace(/^error: /, '').split('\n');
  const message = reported.replace(/\.$/, '');
  const nearest = /^\(Did you mean (.+)\?\)$/.exec(hint)?.[1];
  const name = args.find((word) => !word.startsWith('-')) ?? '';
  const isCommand = error.code !== 'commander.unknownCommand' && name !== '';
  const help = isCommand ? `stoa help ${name}` : 'stoa help';
  return new Failure({
    code: 'usage',
    exit: exitCodes.usage,
    message: `${message.charAt(0).toUpperCase()}${message.slice(1)}.`,
    next: nearest === undefined ? `See \`${help}\`.` : `Did you mean ${nearest}? See \`${help}\`.`,
  });
}

/** Error for `stoa help <command>` with an unknown command. */
function unknownHelp(name: string): Failure {
  return new Failure({
    code: 'usage',
    exit: exitCodes.usage,
    message: `There is no command '${name}'.`,
    next: '`stoa help` lists them.',
  });
}
