import { resolve } from 'node:path';
import { type KeepRule, keepKinds } from '../../backup/decide-kept.ts';
import { listBackups } from '../../backup/manifest.ts';
import { type PruneReport, pruneBackups } from '../../backup/prune-backups.ts';
import { type Command, type CommandInput, type CommandResult, RejectedCommand } from '../command.ts';
import { formatTable } from '../format-table.ts';

const keepsMax = 100_000;

const keepOption = (says: string) => ({ type: 'string', required: false, says }) as const;

export const backupPrune: Command = {
  name: 'backup prune',
  summary:
    'Remove the backups of a directory that no --keep-… option keeps, with objects that no other backup needs. Give at least one --keep-… option. The newest backup is always kept.',
  operands: ['directory'],
  audit: 'as a command, where there is room',
  options: {
    'keep-last': keepOption('number of newest backups to keep'),
    'keep-daily': keepOption('number of days of which to keep the last backup (days, weeks … in UTC)'),
    'keep-weekly': keepOption('number of weeks, which begin on Monday'),
    'keep-monthly': keepOption('number of months'),
    'keep-yearly': keepOption('number of years'),
    'dry-run': { type: 'boolean', required: false, says: 'show what would be removed, and remove nothing' },
  },
  async prepare(_target, input) {
    parseRule(input);
    const directory = directoryOf(input);
    if ((await listBackups(directory)).length === 0) {
      throw new RejectedCommand(`there is no backup in ${directory}`);
    }
    return input;
  },
  run: (_deps, input) => prune(input),
  // Also runs on a copy of a backup directory, without an installation.
  runWithout: prune,
};

async function prune(input: CommandInput): Promise<CommandResult> {
  const isDryRun = input.options['dry-run'] === true;
  const directory = directoryOf(input);
  const report = await pruneBackups(directory, parseRule(input), isDryRun, input.progress);
  return {
    json: { directory, dryRun: isDryRun, ...report },
    text: textOf(report, isDryRun),
  };
}

const directoryOf = ({ operands: [given = ''] }: CommandInput) => resolve(given);

function parseRule({ options }: CommandInput): KeepRule {
  const rule: Partial<Record<(typeof keepKinds)[number], number>> = {};
  for (const kind of keepKinds) {
    const given = options[`keep-${kind}`];
    if (typeof given !== 'string') continue;
    const count = /^\d{1,6}$/.test(given) ? Number(given) : 0;
    if (count < 1 || count > keepsMax) {
      throw new RejectedCommand(`--keep-${kind} must be a whole number from 1 to ${keepsMax}`);
    }
    rule[kind] = count;
  }
  if (Object.keys(rule).length > 0) return rule;
  throw new RejectedCommand(
    'give what to keep, for example --keep-last 3 --keep-daily 7 --keep-weekly 5 --keep-monthly 12; --dry-run shows what would be removed',
  );
}

function textOf({ kept, removed, objects, withoutList }: PruneReport, isDryRun: boolean): string {
  const rows = [
    ...kept.map(({ name, because }) => [name, 'kept', because.join(', ')]),
    ...removed.map((name) => [name, isDryRun ? 'would go' : 'removed', '']),
  ].toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1));
  const verb = isDryRun ? 'Would remove' : 'Removed';
  return [
    formatTable(['BACKUP', '', 'BY'], rows),
    `${verb} ${removed.length} backups, and ${objects.count} objects of ${objects.bytes} bytes that no kept backup needs.`,
    ...(withoutList.length > 0
      ? [
          `No objects are removed while these older backups without a list of their contents are kept: ${withoutList.join(', ')}.`,
        ]
      : []),
  ].join('\n');
}
