import type { Command } from 'commander';
import type { ExitCode } from '../output/exit-codes.ts';
import type { Host } from '../output/host.ts';
import type { Output } from '../output/output.ts';

/** Context of every command, in addition to its arguments. */
export interface Context {
  readonly host: Host;
  readonly output: Output;
  /** The folder given with `-C`. */
  readonly dir: string | undefined;
  /** `--yes`: all questions are confirmed. */
  readonly yes: boolean;
}

/** The action of a command with its parsed arguments. No result means `done`. */
export type Action<Words extends readonly unknown[]> = (
  context: Context,
  ...words: Words
) => Promise<ExitCode | undefined>;

/** Adds a command to the program. `act` binds an action to it. */
export type AddCommand = (tools: CommandTools) => Command;

export interface CommandTools {
  /** A command of the program, with the global flags. */
  readonly command: (name: string, description: string) => Command;
  readonly act: <Words extends readonly unknown[]>(
    action: Action<Words>,
  ) => (...given: unknown[]) => Promise<void>;
}
