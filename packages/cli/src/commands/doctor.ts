import { readFolderSource } from '../config/source.ts';
import { askOther, isWorkedOn, openFolder, putDamagedAside } from '../create-engine.ts';
import { requireYes } from '../output/ask.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { Failure } from '../output/failure.ts';
import type { Host } from '../output/host.ts';
import { counted } from '../output/human.ts';
import type { Output } from '../output/output.ts';
import { shownText } from '../output/shown-text.ts';
import type { AddCommand } from './context.ts';
import { examineFolder, type Finding, type Remedy } from './examine-folder.ts';

interface Flags {
  readonly fix?: boolean;
  readonly resync?: boolean;
}

const answerMs = 60_000;

export const addDoctor: AddCommand = ({ command, act }) =>
  command('doctor', 'look for what keeps sync from working')
    .option('--fix', 'do what it says that it would do')
    .option('--resync', 'forget what is known of both sides and join them anew; nothing is deleted')
    .action(
      act(async ({ host, output, dir, yes }, { fix = false, resync = false }: Flags) => {
        const source = await readFolderSource(host.cwd, dir);
        const { folder } = source;
        if (resync) {
          await requireYes(
            host,
            'Join both sides anew? Nothing is deleted; what differs is kept beside each other.',
            yes,
          );
          await forgetState(folder);
          output.data({ resync: true });
          output.line('Done. The next `stoa sync` joins both sides.');
          return exitCodes.done;
        }
        const findings = await examineFolder(host, source);
        const done: string[] = [];
        const left: Finding[] = [];
        for (const finding of findings) {
          if (fix && finding.remedy !== null) done.push(await apply(host, folder, finding.remedy));
          else if (!finding.isGood) left.push(finding);
        }
        output.data({ problems: left.map(asData), findings: findings.map(asData), done });
        for (const finding of findings) tell(output, finding, fix);
        for (const each of done) output.line(`done  ${each}`);
        if (!fix && findings.some(({ remedy }) => remedy !== null)) {
          output.note('To let it do that: stoa doctor --fix');
        }
        return left.length === 0 ? exitCodes.done : exitCodes.failed;
      }),
    );

function asData({ what, isGood, detail, remedy }: Finding) {
  return { what, isGood, detail, remedy: remedy === null ? null : wouldDo(remedy) };
}

function tell(output: Output, { what, isGood, detail, remedy }: Finding, isFixing: boolean): void {
  const mark = isGood ? output.paint('green', 'good') : output.paint('red', 'bad ');
  output.line(`${mark}  ${what.padEnd(8)} ${detail}`);
  if (remedy !== null && !isFixing) output.line(`               would ${wouldDo(remedy)}`);
}

function wouldDo(remedy: Remedy): string {
  switch (remedy.kind) {
    case 'put_aside':
      return 'put it aside; the next `stoa sync` joins both sides anew, and deletes nothing';
    case 'resync':
      return 'forget it; the next `stoa sync` joins both sides anew, and deletes nothing';
    case 'drop_staged':
      return `remove ${counted(remedy.ids.length, 'file')} from .stoa/staging`;
  }
}

/** @returns what was done, for people. */
async function apply(host: Host, folder: string, remedy: Remedy): Promise<string> {
  switch (remedy.kind) {
    case 'put_aside': {
      const aside = putDamagedAside(folder);
      if (aside === null) throw busy(folder);
      return `It is now ${shownText(aside)}. The next \`stoa sync\` joins both sides.`;
    }
    case 'resync':
      if (isWorkedOn(folder)) {
        const limits = { timeoutMs: answerMs, signal: host.signal };
        if ((await askOther(folder, { kind: 'resync' }, limits)) === null) throw busy(folder);
        return 'The watch joined both sides anew.';
      }
      await forgetState(folder);
      return 'Forgotten. The next `stoa sync` joins both sides.';
    case 'drop_staged': {
      const opened = await openFolder(folder);
      if (opened === null) throw busy(folder);
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
  if (opened === null) throw busy(folder);
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

function busy(folder: string): Failure {
  return new Failure({
    code: 'busy',
    exit: exitCodes.busy,
    message: `Another stoa works on ${folder}.`,
    next: 'End it first.',
  });
}
