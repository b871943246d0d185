import type { ParseArgsOptionsConfig } from 'node:util';
import type { Config } from '../config/parse-config.ts';
import type { BlobStore } from '../service/ports/blob-store.ts';
import type { WordIndex } from '../service/ports/word-index.ts';
import type { ServiceDeps } from '../service/service-deps.ts';
import type { HeldDatabase } from '../storage/held-database.ts';

/** Dependencies of a command: the same store as a running server, which may run at the same time. */
export interface AdminDeps {
  readonly service: Pick<ServiceDeps, 'store' | 'clock' | 'ids' | 'plans'>;
  /** Opened only by a command that needs it. */
  readonly openWordIndex: () => Promise<WordIndex>;
  readonly openBlobs: () => Promise<BlobStore>;
  readonly config: Pick<Config, 'dataDir' | 'database' | 'appUrl'>;
  readonly hashPassword: (password: string) => Promise<string>;
}

/** The command line's arguments, checked against the command's declaration. */
export interface CommandInput {
  /** One per name in `operands`. */
  readonly operands: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** Reads standard input to its end, at most `maxCharacters`. */
  readonly readInput: (maxCharacters: number) => Promise<string>;
  /** Reports the progress of long work. Call it as often as you like: it is throttled. */
  readonly progress: (step: string) => void;
  /** Asks the operator a yes-or-no question on the terminal. Resolves to null without a terminal. */
  readonly ask: (question: string) => Promise<boolean | null>;
  /** Prints a warning to standard error. */
  readonly complain: (line: string) => void;
  /** Prints a line at once, for a result that is not held in memory. */
  readonly print: (line: string) => void;
}

/** A command's result in both forms. */
export interface CommandResult {
  /** Printed with `--json`, on one line. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Printed otherwise. */
  readonly text: string;
  /** Everything was printed while the command ran. */
  readonly isPrinted?: boolean;
  /** The command did its work and found problems: the exit code is 3. */
  readonly foundProblems?: boolean;
}

/** One operator command. */
export type Command = StoreCommand | LoneCommand;

interface CommandWords {
  /** As typed: `user create`. */
  readonly name: string;
  readonly summary: string;
  /** The required values after the name, in order: `workspaceId`. */
  readonly operands: readonly string[];
  readonly options: Readonly<Record<string, CommandOption>>;
  /** The way in which the command appears in the audit log. */
  readonly audit: CommandAudit;
}

export type CommandAudit =
  /** Not at all: it only reads, and shows the operator what they may see anyway. */
  | 'nothing changes'
  /** By its scripts, in the transactions of the changes. */
  | 'by its scripts'
  /** As a whole, before it begins. */
  | 'as a command'
  /** The same, but the command also runs if the database has no room for the entry. A warning says so. */
  | 'as a command, where there is room'
  /** The command has exclusive use of the database, and writes the entry with its first change. */
  | 'by itself';

/** Works on the store that the settings name; the service may run at the same time. */
export interface StoreCommand extends CommandWords {
  run(deps: AdminDeps, input: CommandInput): Promise<CommandResult>;
  /**
   * Runs before the store is opened, for a command that creates what is to be opened.
   * @returns the input for `run`
   * @throws RejectedCommand
   */
  prepare?(target: AdminTarget, input: CommandInput): Promise<CommandInput>;
  /** May be the first to open the store, and creates it. Other commands fail if there is no installation. */
  readonly begins?: true;
  /** Replaces `run` if there is no installation, for a command that needs none. */
  runWithout?(input: CommandInput): Promise<CommandResult>;
}

/** Opens what it needs itself, so that no other process has it open. */
export interface LoneCommand extends CommandWords {
  /** @throws RejectedCommand */
  runAlone(target: AdminTarget, input: CommandInput): Promise<CommandResult>;
}

/** The location of a store, which may not exist yet. */
export interface AdminTarget extends Pick<AdminDeps, 'openBlobs'> {
  readonly config: Config;
  /** Whether the store exists. With wrong settings, a command would create an empty one and find no problems in it. */
  isInstalled(): Promise<boolean>;
  /** Opens the database exclusively: the existing one with its data, or a new one. */
  holdDatabase(expect: 'filled' | 'any'): Promise<HeldDatabase>;
  /**
   * Another location: `given` replaces all storage settings; other settings are kept.
   * @throws ConfigError
   */
  elsewhere(given: Readonly<Record<string, string>>): AdminTarget;
}

export interface CommandOption {
  readonly type: NonNullable<ParseArgsOptionsConfig[string]>['type'];
  readonly required: boolean;
  readonly says: string;
}

/** The command line is invalid; nothing was done. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A valid command that was not carried out. Its message says why, and what to do about it. */
export class RejectedCommand extends Error {
  override readonly name = 'RejectedCommand';
}
