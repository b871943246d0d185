import type { WorkspacePath } from '@stoa/core';
import { type ExitCode, exitCodes } from '../output/exit-codes.ts';
import { shownText } from '../output/shown-text.ts';
import type { Context } from './context.ts';

/** Reports bytes that lost a race. Prints the path of their copy to standard output. */
export function printCopy(
  { output }: Pick<Context, 'output'>,
  path: WorkspacePath,
  lost: { readonly currentVersion: number; readonly conflictCopyPath: string },
  note: string,
): ExitCode {
  output.data({ path, version: lost.currentVersion, copy: lost.conflictCopyPath });
  output.line(shownText(lost.conflictCopyPath));
  output.note(note);
  return exitCodes.conflict;
}
