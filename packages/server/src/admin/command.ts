import type { ParseArgsOptionsConfig } from 'node:util';
import type { Config } from '../config/parse-config.ts';
import type { BlobStore } from '../service/ports/blob-store.ts';
import type { ContentIndex } from '../service/ports/content-index.ts';
import type { ServiceDeps } from '../service/service-deps.ts';
import type { HeldDatabase } from '../storage/held-database.ts';

/** What a command may reach: the same store as a running server, beside it. */
export interface AdminDeps {
  readonly service: Pick<ServiceDeps, 'store' | 'clock' | 'ids' | 'plans'>;
  /** Only a command that needs one of these opens it. */
  readonly openContentIndex: () => Promise<ContentIndex>;
  readonly openBlobs: () => Promise<BlobStore>;
  readonly config: Pick<Config, 'dataDir' | 'database' | 'appUrl'>;
  readonly hashPassword: (password: string) => Promise<string>;
}

/** What was given on the command line, already checked against the command's declaration. */
export interface CommandInput {
  /** One per name in `operands`. */
  readonly operands: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** Reads standard input to its end, of at most `maxCharacters`. */
  readonly readInput: (maxCharacters: number) => Promise<string>;
  /** Tells how far long work has come, as often as it likes: only some of it is shown. */
  readonly progress: (step: string) => void;
  /** Prints a line at once, for an answer that is not held in memory. */
  readonly print: (line: string) => void;
}

/** A command's answer in both forms. */
export interface CommandResult {
  /** Printed with `--json`, on one line. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Printed otherwise. */
  readonly text: string;
  /** All of it was printed while it was made. */
  readonly isPrinted?: boolean;
  /** The command did its work and found something wrong: the exit code is 3. */
  readonly foundProblems?: boolean;
}

/** One operator command. */
export type Command = StoreCommand | LoneCommand;

interface CommandWords {
  /** As typed: `user create`. */
  readonly name: string;
  readonly summary: string;
  /** The values that must follow the name, in order: `workspaceId`. */
  readonly operands: readonly string[];
  readonly options: Readonly<Record<string, CommandOption>>;
  /** How the audit log is told of it. */
  readonly audit: CommandAudit;
}

export type CommandAudit =
  /** It only reads, and shows the operator what they may see anyway. */
  | 'nothing changes'
  /** By its scripts, in the transactions of the changes. */
  | 'by its scripts'
  /** As a whole, before it begins. */
  | 'as a command'
  /** The same, but it is carried out also where the database has no room for the row: its operator is told so. */
  | 'as a command, where there is room'
  /** By itself: it has the database alone, and writes the row there with the first thing that it changes. */
  | 'by itself';

/** Works on the store that the settings name, beside a running service. */
export interface StoreCommand extends CommandWords {
  run(deps: AdminDeps, input: CommandInput): Promise<CommandResult>;
  /**
   * Done before the store is opened, by a command that makes what is to be opened. @returns the input to run with.
   * @throws RefusedCommand
   */
  prepare?(target: AdminTarget, input: CommandInput): Promise<CommandInput>;
  /** It may be the first to open the store, and makes what is needed. Any other is refused where there is no installation. */
  readonly begins?: true;
  /** Done in place of `run` where there is no installation, by a command that needs none. */
  runWithout?(input: CommandInput): Promise<CommandResult>;
}

/** Opens what it needs by itself, so that nobody else has it open. */
export interface LoneCommand extends CommandWords {
  /** @throws RefusedCommand */
  runAlone(target: AdminTarget, input: CommandInput): Promise<CommandResult>;
}

/** Where a store is, or is to be. */
export interface AdminTarget extends Pick<AdminDeps, 'openBlobs'> {
  readonly config: Config;
  /** Whether there is one. With wrong settings a command would make it, and find nothing wrong with it. */
  isInstalled(): Promise<boolean>;
  /** The database for this command alone: as it is, with everything in it, or made if it is not there. */
  holdDatabase(expect: 'filled' | 'any'): Promise<HeldDatabase>;
  /**
   * Another place: `given` in place of all settings of storage, the other settings as they are.
   * @throws ConfigError
   */
  elsewhere(given: Readonly<Record<string, string>>): AdminTarget;
}

export interface CommandOption {
  readonly type: NonNullable<ParseArgsOptionsConfig[string]>['type'];
  readonly required: boolean;
  readonly says: string;
}

/** The command line is not one that this program understands; nothing was done. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A command that was understood and not carried out: its message says why, and what to do about it. */
export class RefusedCommand extends Error {
  override readonly name = 'RefusedCommand';
}
