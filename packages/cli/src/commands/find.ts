import { findLimitDefault, findLimitMax } from '@stoa/core';
import { openWorkspace, type Workspace } from '../files/workspace.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { counted } from '../output/human.ts';
import type { Output } from '../output/output.ts';
import { shownText } from '../output/shown-text.ts';
import type { AddCommand } from './context.ts';
import { wholeNumber } from './parse-words.ts';

interface Flags {
  readonly pathsOnly?: boolean;
  readonly limit?: number;
}

type FindPage = Awaited<ReturnType<Workspace['client']['find']>>;
type Found = Pick<FindPage, 'results' | 'total' | 'isTotalExact'>;
type FoundLine = FindPage['results'][number]['matches'][number];

export const addFind: AddCommand = ({ command, act }) =>
  command('find', 'find files and folders by words in their path and text, best first')
    .argument(
      '<words...>',
      'words in any order, and filters as in "in:docs/"; the last word may be incomplete',
    )
    .option('-l, --paths-only', 'print only paths')
    .option('--limit <n>', `number of results (default ${findLimitDefault})`, wholeNumber(1))
    .action(
      act(async ({ host, output, dir }, words: readonly string[], flags: Flags) => {
        const workspace = await openWorkspace(host, dir);
        const { results, total, isTotalExact } = await find(
          workspace,
          words.join(' '),
          flags.limit ?? findLimitDefault,
        );
        output.data({ results, total, isTotalExact });
        for (const { path, isDir, matches } of results) {
          const shownPath = shownText(isDir ? `${path}/` : path);
          if (flags.pathsOnly === true) {
            output.line(shownPath);
            continue;
          }
          output.line(output.paint('bold', shownPath));
          for (const line of matches) output.line(`  ${line.line}: ${shownMatches(output, line)}`);
        }
        output.note(summary({ results, total, isTotalExact }));
        return exitCodes.done;
      }),
    );

/** Reads pages until there are enough results. */
async function find(
  { client, workspaceId, signal }: Workspace,
  query: string,
  limit: number,
): Promise<Found> {
  const results: FindPage['results'] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await client.find(workspaceId, query, {
      limit: Math.min(limit - results.length, findLimitMax),
      ...(cursor === undefined ? {} : { cursor }),
      signal,
    });
    results.push(...page.results);
    const { total, isTotalExact, nextCursor } = page;
    if (nextCursor === null || results.length >= limit) return { results, total, isTotalExact };
    cursor = nextCursor;
  }
}

function shownMatches({ paint }: Output, { text, ranges }: FoundLine): string {
  let shown = '';
  let from = 0;
  for (const [start, end] of ranges) {
    shown += shownText(text.slice(from, start)) + paint('yellow', shownText(text.slice(start, end)));
    from = end;
  }
  return shown + shownText(text.slice(from));
}

function summary({ results, total, isTotalExact }: Found): string {
  const all = counted(total, 'result');
  const unread = isTotalExact ? '' : ' Some texts could not be read in time: add a filter such as in:docs/.';
  if (results.length >= total) return total === 0 ? `Nothing matches.${unread}` : `${all}.${unread}`;
  return `${results.length} of ${isTotalExact ? '' : 'at least '}${all}. For more use --limit.${unread}`;
}
