import { followChanges, readAfter, readNewest } from '../files/read-changes.ts';
import { type ChangeRecord, openWorkspace } from '../files/workspace.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { shownDuration, shownTime } from '../output/human.ts';
import type { Output } from '../output/output.ts';
import { shownText } from '../output/shown-text.ts';
import type { AddCommand } from './context.ts';
import { wholeNumber } from './parse-words.ts';

interface Flags {
  readonly since?: number;
  readonly limit?: number;
  readonly follow?: boolean;
  readonly comments?: boolean;
}

export const addChanges: AddCommand = ({ command, act }) =>
  command('changes', 'show changes of the workspace; with --follow, wait for new ones')
    .option('--since <seq>', 'after this number of the feed (default: the newest 20)', wholeNumber(0))
    .option('--limit <n>', 'maximum number of changes', wholeNumber(1))
    .option('-f, --follow', 'wait for more until stopped')
    .option('--comments', 'include comments')
    .action(
      act(async ({ host, output, dir }, { since, limit, follow = false, comments = false }: Flags) => {
        const workspace = await openWorkspace(host, dir);
        const take = (changes: readonly ChangeRecord[]) => {
          for (const change of changes) report(output, change);
        };
        const options = { limit, comments, take };
        const location =
          since === undefined
            ? await readNewest(workspace, options)
            : await readAfter(workspace, since, options);
        if (!follow) {
          output.data(location);
          output.note(`Next: stoa changes --since ${location.nextSeq}`);
          return exitCodes.done;
        }
        await followChanges(workspace, location.nextSeq, comments, {
          page: ({ changes }) => take(changes),
          retry: ({ message }, pauseMs) =>
            output.note(`${shownText(message)}; trying again in ${shownDuration(pauseMs)}.`),
        });
        return exitCodes.done;
      }),
    );

function report(output: Output, change: ChangeRecord): void {
  output.data(change);
  const { seq, createdAt, op, path, version, movedFrom, conflictOf, actorLabel, principal } = change;
  const facts = [
    String(seq),
    shownTime(createdAt),
    shownText(op).padEnd(8),
    shownText(path),
    ...(version === null ? [] : [`v${version}`]),
    ...(movedFrom === undefined ? [] : [`from ${shownText(movedFrom)}`]),
    ...(conflictOf === undefined ? [] : [`copy of ${shownText(conflictOf)}`]),
    `by ${shownText(actorLabel ?? principal)}`,
  ];
  output.line(facts.join('  '));
}
