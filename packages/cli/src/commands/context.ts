import type { Command } from 'commander';
import type { ExitCode } from '../output/exit-codes.ts';
import type { Host } from '../output/host.ts';
import type { Output } from '../output/output.ts';

/** What every command is given beside its own words. */
export interface Context {
  readonly host: Host;
  readonly output: Output;
  /** The folder that `-C` names. */
  readonly dir: string | undefined;
  /** `--yes`: questions are answered. */
  readonly yes: boolean;
}

/** What a command does once its words are understood. Without a result it is done. */
export type Action<Words extends readonly unknown[]> = (
  context: Context,
  ...words: Words
) => Promise<ExitCode | undefined>;

/** Adds a command to the program. `act` ties an action to it. */
export type AddCommand = (tools: CommandTools) => Command;

export interface CommandTools {
  /** A command of the program, with the flags that all of them take. */
  readonly command: (name: string, description: string) => Command;
  readonly act: <Words extends readonly unknown[]>(
    action: Action<Words>,
  ) => (...given: unknown[]) => Promise<void>;
}
