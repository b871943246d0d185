import type { Command } from './command.ts';
import { commands } from './commands/index.ts';

/** How a command is used, or which commands there are when none is given. */
export function helpText(command: Command | null): string {
  return command === null ? overview() : commandHelp(command);
}

function overview(): string {
  const width = Math.max(...commands.map((command) => signature(command).length));
  return [
    'Operator commands of Stoa. They work on the database that the STOA_… settings name, beside running servers',
    'or without one: STOA_DATABASE_URL, else the one in STOA_DATA_DIR.',
    '',
    'Usage: npm run admin -- <command> [--json] [--help]',
    '',
    ...commands.map((command) => `  ${signature(command).padEnd(width)}  ${command.summary}`),
    '',
    'Exit codes: 0 done, 1 refused, 2 not understood, 3 done and something is wrong with what is stored.',
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
