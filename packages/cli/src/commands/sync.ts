import { changesUnlimited } from '@stoa/core';
import { InvalidArgumentError, Option } from 'commander';
import { readFolderSource } from '../config/source.ts';
import { createEngine } from '../create-engine.ts';
import { runPass } from '../engine/run-pass.ts';
import { type ExitCode, exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';
import type { Progress } from '../output/progress.ts';
import { shownText } from '../output/shown-text.ts';
import { askWorking, busyFailure } from './ask-working.ts';
import type { AddCommand, Context } from './context.ts';
import { wholeNumber } from './parse-words.ts';
import { printEvent } from './sync-events.ts';
import { isPlanReport, planReportOf, printPlan } from './sync-plan.ts';
import { printProgress, startSyncProgress } from './sync-progress.ts';
import { exitOf, isReport, printReport, reportOf } from './sync-report.ts';

interface Flags {
  readonly dryRun?: boolean;
  readonly confirm?: boolean;
  readonly undoHeld?: boolean;
  readonly maxChanges?: number;
  /** The former name of `maxChanges`. */
  readonly maxDeletes?: number;
  readonly timeout?: number;
}

const defaultRetryBudgetSeconds = 30;

export const addSync: AddCommand = ({ command, act }) =>
  command('sync', 'sync the folder and its workspace once')
    .option('--dry-run', 'show the planned changes without applying them')
    .option('--confirm', 'apply the changes that wait for confirmation')
    .option('--undo-held', 'undo the changes that wait for confirmation')
    .option(
      '--max-changes <n>',
      'changes of one kind at once without confirmation, or none for no limit',
      changesLimit,
    )
    .addOption(new Option('--max-deletes <n>').argParser(changesLimit).hideHelp())
    .option('--timeout <seconds>', 'how long to retry a server that fails', wholeNumber(0))
    .action(
      act(async (context, { maxDeletes, ...given }: Flags) => {
        const flags = maxDeletes === undefined ? given : { maxChanges: maxDeletes, ...given };
        if (flags.confirm === true && flags.undoHeld === true) {
          throw new Failure({
            code: 'usage',
            exit: exitCodes.usage,
            message: '--confirm and --undo-held exclude each other.',
            next: 'List the waiting changes with `stoa status --verbose`.',
          });
        }
        if (flags.dryRun === true && flags.undoHeld === true) {
          throw new Failure({
            code: 'usage',
            exit: exitCodes.usage,
            message: '--dry-run and --undo-held exclude each other.',
            next: 'List the waiting changes, which it would undo, with `stoa status --verbose`.',
          });
        }
        return syncOnce(context, context.dir, flags);
      }),
    );

/** Runs one pass over the folder, in this process or in the one that works on it. */
export function syncOnce(context: Context, dir: string | undefined, flags: Flags): Promise<ExitCode> {
  const { host, output } = context;
  const progress = startSyncProgress(output, host);
  return passOnce(context, dir, flags, progress).finally(progress.end);
}

async function passOnce(
  context: Context,
  dir: string | undefined,
  flags: Flags,
  progress: Progress,
): Promise<ExitCode> {
  const { host, output } = context;
  const { folder, config } = await readFolderSource(host.cwd, dir);
  const working = await createEngine(host, {
    folder,
    config,
    retryBudgetMs: (flags.timeout ?? defaultRetryBudgetSeconds) * 1000,
    onEvent: (event) => {
      printEvent(output, event);
      printProgress(progress, event);
    },
    onBytes: progress.moved,
  });
  if (working === null) return askForPass(context, folder, flags);
  try {
    if (working.quarantinedPath !== null) {
      output.warn(
        `The sync state of this folder was damaged, and is now ${shownText(working.quarantinedPath)}. Both sides are joined again; nothing is deleted.`,
      );
    }
    const outcome = await runPass(working.engine, {
      pending: flags.confirm === true ? 'confirm' : flags.undoHeld === true ? 'undo' : 'keep',
      isDryRun: flags.dryRun === true,
      isSettling: true,
      ...(flags.maxChanges === undefined ? {} : { maxChanges: flags.maxChanges }),
    });
    progress.end();
    if (flags.dryRun === true) {
      printPlan(output, planReportOf(outcome.planned, reportOf(outcome)));
      return exitCodes.done;
    }
    const report = reportOf(outcome);
    printReport(output, report);
    return exitOf(report);
  } finally {
    await working[Symbol.asyncDispose]();
  }
}

async function askForPass({ host, output }: Context, folder: string, flags: Flags): Promise<ExitCode> {
  const isDryRun = flags.dryRun === true;
  const request = {
    kind: 'sync',
    confirm: flags.confirm === true,
    undoHeld: flags.undoHeld === true,
    isDryRun,
    maxChanges: flags.maxChanges ?? null,
  } as const;
  const response = await askWorking(host, folder, request, flags.timeout);
  if (isDryRun && isPlanReport(response)) {
    printPlan(output, response);
    return exitCodes.done;
  }
  if (isDryRun || !isReport(response)) {
    throw busyFailure(folder, 'It runs another version of stoa: stop it, then run the command again.');
  }
  printReport(output, response);
  return exitOf(response);
}

function changesLimit(text: string): number {
  if (text === 'none') return changesUnlimited;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, or none.');
}
