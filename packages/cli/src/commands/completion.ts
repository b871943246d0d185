import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

/** Adds `completion <shell>`, which prints a script, and the hidden command that the script asks. Names of commands and flags alone. */
export function addCompletion(program: Command): void {
  tab(program, { completionCommandName: 'completion' });
}
