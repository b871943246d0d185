import type { extendedTools, ToolInput } from '@stoa/contract';
import { findLimitMax, invalidRequest, isGlob, parsePathPrefix, parseWorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../../service/access.ts';
import { type FindOutcome, type FoundItem, findFiles } from '../../service/find/find-files.ts';
import type { McpDeps } from '../mcp-deps.ts';
import { emptyScopeText } from '../missing-path.ts';
import { responseMax } from '../response-size.ts';
import type { ToolResponse } from '../tool.ts';

interface WordsCall {
  readonly deps: McpDeps;
  readonly access: WorkspaceAccess;
  readonly restores: boolean;
  readonly input: ToolInput<typeof extendedTools.searchContent>;
}

/**
 * `search_content` in the mode words (interface: mcp, Searching contents). `limit` counts lines and results without a
 * line, `offset` counts results, so that each result is whole.
 */
export async function searchWords({ deps, access, restores, input }: WordsCall): Promise<ToolResponse> {
  const { query, path = '', context, matchCase, after, limit, offset } = input;
  if (context > 0 || matchCase || after !== undefined) {
    throw invalidRequest('context, matchCase and after are for mode phrase; read_lines shows lines around');
  }
  if (isGlob(path))
    throw invalidRequest('path: mode words takes a folder; in the query, type:md finds by type');
  const folder = parsePathPrefix(path);
  const found = await findFiles(deps.service, access, {
    query,
    folder,
    limit: Math.min(limit, findLimitMax),
    offset,
  });
  if (found.total === 0) {
    const nothing = found.isTotalExact ? 'Nothing matches.' : `Nothing matches so far. ${unreadText}`;
    const help =
      'Each word must be in the path or the text of a file, whole but for the last; OR finds either.';
    return { text: [nothing, help, ...(await scope())].join(' ') };
  }
  const { shown, lines } = fitting(found.results, limit);
  return { text: [factsOf(found, offset, shown), ...lines].join('\n') };

  /** Describes a folder that does not exist, or a file. */
  async function scope(): Promise<readonly string[]> {
    if (folder === '') return [];
    const wanted = parseWorkspacePath(path);
    const missing = await emptyScopeText(deps, access, { path: wanted, restores, wants: 'any' });
    if (missing !== null) return [missing];
    // Something visible is there, so a file at the path is visible.
    const file = await deps.service.store.reader.files.find(access.workspace.id, wanted);
    return file === null ? [] : [`${path} is a file: mode words takes a folder.`];
  }
}

const unreadText = 'Not all texts could be read in time: narrow path.';

function factsOf({ total, isTotalExact }: FindOutcome, offset: number, shown: number): string {
  const all = `${isTotalExact ? '' : 'at least '}${total}`;
  const last = offset + shown;
  const unread = isTotalExact ? [] : [unreadText];
  if (shown === 0) return [`There are ${all} results: offset is behind the last.`, ...unread].join(' ');
  const isWhole = offset === 0 && last === total && isTotalExact;
  const which = isWhole
    ? `${total === 1 ? '1 result' : `${total} results, best first`}.`
    : `results ${offset + 1}-${last} of ${all}, best first.`;
  const more = last < total ? [`More: offset ${last}, or narrow path.`] : [];
  return [which, ...more, ...unread].join(' ');
}

/** As many whole results as fit in the limit and in a response; at least one. */
function fitting(
  results: readonly FoundItem[],
  limit: number,
): { readonly shown: number; readonly lines: readonly string[] } {
  const lines: string[] = [];
  let shown = 0;
  let counted = 0;
  let characters = 0;
  let bytes = 0;
  for (const { path, file, matches } of results) {
    const next = [
      '',
      file === null ? `${path}/` : `${path} v${file.version}`,
      ...matches.map(({ line, text }) => `${line}: ${text}`),
    ];
    const added = next.join('\n');
    counted += Math.max(1, matches.length);
    characters += added.length + 1;
    bytes += Buffer.byteLength(added) + 1;
    const isTooMuch =
      counted > limit || characters > responseMax.maxCharacters || bytes > responseMax.maxBytes;
    if (isTooMuch && shown > 0) break;
    lines.push(...next);
    shown += 1;
  }
  return { shown, lines };
}
