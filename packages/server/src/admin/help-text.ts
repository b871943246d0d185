import type { Command } from './command.ts';
import { commands } from './commands/index.ts';

/** Returns the help of a command, or the list of commands without one. */
export function helpText(command: Command | null): string {
  return command === null ? overview() : commandHelp(command);
}

function overview(): string {
  const width = Math.max(...commands.map((command) => signature(command).length));
  return [
    'Operator commands of Stoa. They work on the database in the STOA_… settings, with or without running servers:',
    'STOA_DATABASE_URL, else the one in STOA_DATA_DIR.',
    '',
    'Usage: npm run admin -- <command> [--json] [--help]',
    '',
    ...commands.map((command) => `  ${signature(command).padEnd(width)}  ${command.summary}`),
    '',
    'Exit codes: 0 success, 1 failure, 2 invalid command line, 3 success with problems in the stored data.',
  ].join('\n');
}

function commandHelp(command: Command): string {
  const options = Object.entries({
    ...command.options,
    json: { type: 'boolean', says: 'print one line of JSON' },
    help: { type: 'boolean', says: 'print this' },
  }).map(([name, { type, says }]) => [type === 'string' ? `--${name} …` : `--${name}`, says] as const);
  const width = Math.max(...options.map(([label]) => label.length));
  return [
    command.summary,
    '',
    `Usage: npm run admin -- ${signature(command)}`,
    '',
    ...options.map(([label, says]) => `  ${label.padEnd(width)}  ${says}`),
  ].join('\n');
}

function signature(command: Command): string {
  const operands = command.operands.map((operand) => `<${operand}>`);
  const required = Object.entries(command.options)
    .filter(([, option]) => option.required)
    .map(([name]) => `--${name} …`);
  return [command.name, ...operands, ...required].join(' ');
}
