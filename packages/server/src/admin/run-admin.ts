import { escapeJson, shownLines, WorkspaceError } from '@stoa/core';
import { RejectedBackup } from '../backup/manifest.ts';
import { redactDatabaseUrl } from '../config/database-url.ts';
import { RejectedMove } from '../moving/rejected-move.ts';
import { type Acting, actingFrom, operator } from '../service/auditing/origin.ts';
import { recordOperatorCommand } from '../service/auditing/record-operator-command.ts';
import { RejectedExport } from '../service/exporting/format.ts';
import { movedFromHere } from '../start/reject-moved.ts';
import { NotHeld } from '../storage/held-database.ts';
import { NoRoom } from '../storage/no-room.ts';
import { isNoSpace } from '../storage/no-space.ts';
import {
  type AdminDeps,
  type AdminTarget,
  type Command,
  type CommandInput,
  type CommandResult,
  RejectedCommand,
  UsageError,
} from './command.ts';
import { helpText } from './help-text.ts';
import { type CommandLine, parseCommandLine } from './parse-command-line.ts';

/** 0 success, 1 failure, 2 invalid command line, 3 success with problems in the stored data. */
export type ExitCode = 0 | 1 | 2 | 3;

export interface AdminHost {
  /** Opens the store when a command is about to run; its disposal closes it. */
  readonly open: () => Promise<AdminDeps & AsyncDisposable>;
  /** The location of that store, for a command that creates it. */
  readonly target: () => AdminTarget;
  readonly readInput: CommandInput['readInput'];
  readonly progress: CommandInput['progress'];
  /** Asks on the terminal; null without one. */
  readonly ask: CommandInput['ask'];
  readonly print: (line: string) => void;
  readonly complain: (line: string) => void;
}

/**
 * Escapes the output: names, paths and archives of users may contain control characters, which must not affect the
 * terminal.
 */
function harmless(host: AdminHost, isJson: boolean): AdminHost {
  const shown = isJson ? escapeJson : shownLines;
  return {
    ...host,
    print: (line) => host.print(shown(line)),
    complain: (line) => host.complain(shown(line)),
    progress: (step) => host.progress(shownLines(step)),
    ask: (question) => host.ask(shownLines(question)),
  };
}

/** Runs one operator command. With `--json` an error is also JSON, `{ error }`. */
export async function runAdmin(given: AdminHost, args: readonly string[]): Promise<ExitCode> {
  let line: CommandLine;
  try {
    line = parseCommandLine(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    given.complain(shownLines(error.message));
    return 2;
  }
  const host = harmless(given, line.kind === 'run' && line.json);
  if (line.kind === 'help') {
    host.print(helpText(line.command));
    return 0;
  }
  try {
    const { operands, options, command } = line;
    const input = {
      operands,
      options,
      readInput: host.readInput,
      progress: host.progress,
      ask: host.ask,
      print: host.print,
      complain: host.complain,
    };
    const result = await actingFrom(atCommandLine(), () => runCommand(host, command, input));
    if (result.isPrinted !== true) host.print(line.json ? JSON.stringify(result.json) : result.text);
    return result.foundProblems === true ? 3 : 0;
  } catch (error) {
    const reason = errorText(error);
    if (reason === null) throw error;
    host.complain(line.json ? JSON.stringify({ error: reason }) : reason);
    return 1;
  }
}

function atCommandLine(): Acting {
  return { actor: operator, requestId: null, address: () => null };
}

async function runCommand(host: AdminHost, command: Command, input: CommandInput): Promise<CommandResult> {
  if ('runAlone' in command) return await command.runAlone(host.target(), input);
  const target = host.target();
  const prepared = (await command.prepare?.(target, input)) ?? input;
  if (command.begins !== true && !(await target.isInstalled())) {
    if (command.runWithout !== undefined) return await command.runWithout(prepared);
    throw new RejectedCommand(
      `There is no installation in ${locationOf(target.config)}: run the command with the settings of the service, including STOA_DATA_DIR or STOA_DATABASE_URL.`,
    );
  }
  return await withOpened(host, async (deps) => {
    const moved = command.audit === 'by its scripts' ? await movedFromHere(deps.service) : null;
    if (moved !== null) throw new RejectedCommand(moved);
    await recordInAudit(host, deps.service, command, input);
    return await command.run(deps, prepared);
  });
}

const locationOf = ({ database, dataDir }: AdminTarget['config']) =>
  database.kind === 'sqlite' ? dataDir : redactDatabaseUrl(database.url);

async function recordInAudit(
  { complain }: Pick<AdminHost, 'complain'>,
  service: AdminDeps['service'],
  { name, audit, operands: names }: Command,
  { operands, options }: CommandInput,
): Promise<void> {
  if (options['dry-run'] === true) return;
  if (audit !== 'as a command' && audit !== 'as a command, where there is room') return;
  const named = names.indexOf('workspaceId');
  const about = named === -1 ? null : (operands[named] ?? null);
  try {
    await recordOperatorCommand(service, { name, operands, about });
  } catch (error) {
    if (!isFull(error) || audit === 'as a command') throw error;
    complain('The database is full: this command is not in the audit log.');
  }
}

async function withOpened<Result>(
  host: AdminHost,
  use: (deps: AdminDeps) => Promise<Result>,
): Promise<Result> {
  const deps = await host.open();
  try {
    return await use(deps);
  } finally {
    await deps[Symbol.asyncDispose]();
  }
}

const withoutRoom =
  'There is no room for this command: the data disk, the disk of PostgreSQL or the bucket is full or has reached a quota. Free some space and run the command again.';

function isFull(error: unknown): boolean {
  return (error instanceof WorkspaceError && error.code === 'storage_full') || isNoSpace(error);
}

function errorText(error: unknown): string | null {
  const kinds = [RejectedCommand, RejectedBackup, RejectedExport, RejectedMove, NotHeld, NoRoom];
  const isRejection = kinds.some((kind) => error instanceof kind);
  if (isRejection && error instanceof Error) return error.message;
  if (isFull(error)) return withoutRoom;
  // An error without its own text shows its code, which an operator can look up.
  if (error instanceof WorkspaceError) return error.message || `rejected: ${error.code}`;
  if (error instanceof Error && 'syscall' in error) {
    return `A system call failed: ${error.message}. Fix the problem and run the command again.`;
  }
  return null;
}
