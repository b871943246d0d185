import { requireLinkedFolder } from '../config/find-folder.ts';
import { closeToOthers } from '../config/folder-config.ts';
import { isWorkedOn, openFolder, quarantineDamaged } from '../create-engine.ts';
import { requireYes } from '../output/ask.ts';
import { type ExitCode, exitCodes } from '../output/exit-codes.ts';
import type { Host } from '../output/host.ts';
import { counted } from '../output/human.ts';
import type { Output } from '../output/output.ts';
import { shownText } from '../output/shown-text.ts';
import { askWorking, busyFailure } from './ask-working.ts';
import type { AddCommand, Context } from './context.ts';
import { examineConfig, examineFolder, type Finding, type Remedy } from './examine-folder.ts';
import { parseTimeout } from './parse-words.ts';
import { exitOf, isReport, printReport } from './sync-report.ts';

interface Flags {
  readonly fix?: boolean;
  readonly resync?: boolean;
  readonly timeout?: number;
}

export const addDoctor: AddCommand = ({ command, act }) =>
  command('doctor', 'find problems that keep sync from working')
    .option('--fix', 'apply the fixes that it lists')
    .option('--resync', 'discard the sync state and join both sides again; deletes nothing')
    .addOption(parseTimeout())
    .action(
      act(async (context, flags: Flags) => {
        const folder = await requireLinkedFolder(context.host.cwd, context.dir);
        return flags.resync === true ? rejoin(context, folder, flags) : examine(context, folder, flags);
      }),
    );

async function rejoin({ host, output, yes }: Context, folder: string, { timeout }: Flags): Promise<ExitCode> {
  const question = 'Join both sides again? Nothing is deleted; where they differ, both texts are kept.';
  await requireYes(host, question, yes);
  if (!isWorkedOn(folder)) {
    await forgetState(folder);
    output.data({ resync: true });
    output.line('Done. The next `stoa sync` joins both sides.');
    return exitCodes.done;
  }
  const response = await askWorking(host, folder, { kind: 'resync' }, timeout);
  output.line('The watch joined both sides again.');
  if (!isReport(response)) return exitCodes.done;
  printReport(output, response);
  return exitOf(response);
}

/** Reports findings, and fixes them with `--fix`. Checks the configuration first, because the other checks need it. */
async function examine(
  { host, output }: Context,
  folder: string,
  { fix = false, timeout }: Flags,
): Promise<ExitCode> {
  const done: string[] = [];
  const repair = async (findings: readonly Finding[]): Promise<readonly Finding[]> => {
    const left: Finding[] = [];
    for (const finding of findings) {
      if (fix && finding.remedy !== null) done.push(await apply(host, folder, finding.remedy, timeout));
      else if (!finding.isGood) left.push(finding);
    }
    return left;
  };
  const ofConfig = await examineConfig(host, folder);
  const left = [...(await repair(ofConfig))];
  const findings = [...ofConfig];
  if (left.length === 0) {
    const rest = await examineFolder(host, folder);
    findings.push(...rest);
    left.push(...(await repair(rest)));
  }
  output.data({ problems: left.map(asData), findings: findings.map(asData), done });
  for (const finding of findings) report(output, finding, fix);
  for (const each of done) output.line(`done  ${each}`);
  if (!fix && findings.some(({ remedy }) => remedy !== null)) {
    output.note('To let it do that: stoa doctor --fix');
  }
  return left.length === 0 ? exitCodes.done : exitCodes.failed;
}

function asData({ what, isGood, detail, remedy }: Finding) {
  return { what, isGood, detail, remedy: remedy === null ? null : wouldDo(remedy) };
}

function report(
  output: Output,
  { what, isGood, isAdvice = false, detail, remedy }: Finding,
  isFixing: boolean,
): void {
  const sound = isAdvice ? output.paint('yellow', 'tip ') : output.paint('green', 'good');
  const mark = isGood ? sound : output.paint('red', 'bad ');
  output.line(`${mark}  ${what.padEnd(8)} ${detail}`);
  if (remedy !== null && !isFixing) output.line(`               would ${wouldDo(remedy)}`);
}

function wouldDo(remedy: Remedy): string {
  switch (remedy.kind) {
    case 'close':
      return 'take from other users the right to read it';
    case 'put_aside':
      return 'quarantine it; the next `stoa sync` joins both sides again and deletes nothing';
    case 'resync':
      return 'discard it; the next `stoa sync` joins both sides again and deletes nothing';
    case 'drop_staged':
      return `remove ${counted(remedy.ids.length, 'file')} from .stoa/staging`;
  }
}

/** @returns a description of the fix for the user */
async function apply(
  host: Host,
  folder: string,
  remedy: Remedy,
  timeout: number | undefined,
): Promise<string> {
  const busy = () => busyFailure(folder, 'Stop it first, then run the command again.');
  switch (remedy.kind) {
    case 'close':
      await closeToOthers(folder);
      return 'Other users of this machine can no longer read the configuration. If one of them may have read it, revoke the key in the app and link again.';
    case 'put_aside': {
      const quarantined = quarantineDamaged(folder);
      if (quarantined === null) throw busy();
      return `It is now ${shownText(quarantined)}. The next \`stoa sync\` joins both sides.`;
    }
    case 'resync':
      if (isWorkedOn(folder)) {
        await askWorking(host, folder, { kind: 'resync' }, timeout);
        return 'The watch joined both sides again.';
      }
      await forgetState(folder);
      return 'Forgotten. The next `stoa sync` joins both sides.';
    case 'drop_staged': {
      const opened = await openFolder(folder);
      if (opened === null) throw busy();
      try {
        for (const id of remedy.ids) await opened.local.discardStaged(id);
      } finally {
        await opened[Symbol.asyncDispose]();
      }
      return `Removed ${counted(remedy.ids.length, 'file')} from .stoa/staging.`;
    }
  }
}

async function forgetState(folder: string): Promise<void> {
  const opened = await openFolder(folder);
  if (opened === null) throw busyFailure(folder, 'Stop it first, then run the command again.');
  try {
    await opened.store.commit(
      [
        { table: 'all', kind: 'clear' },
        { table: 'meta', values: { phase: null, cursor: 0, lastRecord: null } },
      ],
      'durable',
    );
  } finally {
    await opened[Symbol.asyncDispose]();
  }
}
