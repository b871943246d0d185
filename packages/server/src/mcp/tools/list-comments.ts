import { extendedTools, type ToolInput, tools } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { threadRecord } from '../../records/thread-record.ts';
import type { WorkspaceAccess } from '../../service/access.ts';
import { listThreads } from '../../service/comments/list-threads.ts';
import { briefThreads } from '../brief-threads.ts';
import { counted } from '../counted.ts';
import type { McpDeps } from '../mcp-deps.ts';
import { emptyScopeText } from '../missing-path.ts';
import { responseMax } from '../response-size.ts';
import { type ToolResponse, workspaceTool } from '../tool.ts';

interface ListCall {
  readonly deps: McpDeps;
  readonly access: WorkspaceAccess;
  readonly input: ToolInput<typeof tools.listComments>;
  readonly restores: boolean;
}

export const listCommentsTool = workspaceTool(tools.listComments, list);

export const listCommentsBrieflyTool = workspaceTool(extendedTools.listComments, async (call) => {
  const { deps, access, input } = call;
  if (input.brief !== true) return list(call);
  const { threads, total, nextOffset, truncated } = await find(call);
  const blocks = await briefThreads(deps, access.workspace.id, threads);
  const shown: string[] = [];
  let [characters, bytes] = [0, 0];
  for (const block of blocks) {
    characters += block.length + 1;
    bytes += Buffer.byteLength(block) + 1;
    const isTooMuch = characters > responseMax.maxCharacters || bytes > responseMax.maxBytes;
    if (isTooMuch && shown.length > 0) break;
    shown.push(isTooMuch ? block.slice(0, responseMax.maxCharacters / 3).toWellFormed() : block);
  }
  const next = shown.length < blocks.length ? input.offset + shown.length : nextOffset;
  const facts = [
    total === 0 ? `0 threads. ${await nothingText(call)}` : countText(total, shown.length),
    ...(next === null ? [] : [`More: offset ${next}.`]),
    ...(truncated ? [truncatedText] : []),
  ];
  return { text: [facts.join(' '), ...shown].join('\n') };
});

const truncatedText = 'Truncated: not all threads were looked at. Filter by path or status.';

/** "12 threads", with the number of those shown if that differs. */
function countText(total: number, shown: number): string {
  return `${counted(total, 'thread')}${shown === total ? '' : `, ${shown} of them here`}.`;
}

/** Advice when no thread matches. */
async function nothingText({ deps, access, input, restores }: ListCall): Promise<string> {
  const { path, threadId, status, anchorStatus, author } = input;
  const isFiltered = [path, threadId, status, anchorStatus, author].some((each) => each !== undefined);
  if (!isFiltered) return 'add_comment starts one.';
  const shows = 'No thread matches. list_comments without arguments shows all.';
  if (path === undefined) return shows;
  const wanted = { path: parseWorkspacePath(path), restores, wants: 'any' } as const;
  const known = await emptyScopeText(deps, access, wanted);
  return known === null ? shows : `${known} ${shows}`;
}

async function find({ deps, access, input }: ListCall) {
  const { author = null } = input;
  const isId = author !== null && (await deps.service.store.reader.users.find(author)) !== null;
  return listThreads(deps.service, access, {
    path: input.path === undefined ? null : parseWorkspacePath(input.path),
    threadId: input.threadId ?? null,
    status: input.status ?? null,
    anchorStatus: input.anchorStatus ?? null,
    authorId: isId ? author : null,
    authorName: isId ? null : author,
    limit: input.limit,
    offset: input.offset,
    entriesLimit: input.entriesLimit,
    entriesOffset: input.entriesOffset,
  });
}

async function list(call: ListCall): Promise<ToolResponse> {
  const list = await find(call);
  const { total, nextOffset, truncated } = list;
  const threads = list.threads.map(threadRecord);
  const more = nextOffset !== null;
  const summary = [
    countText(total, threads.length),
    more ? `More: call again with offset ${nextOffset}.` : 'This is the last page (nextOffset null).',
    ...(truncated ? [truncatedText] : []),
  ];
  if (total === 0) {
    const next = await nothingText(call);
    return {
      text: [`${summary.join(' ')} ${next}`, JSON.stringify(threads)],
      data: { threads, total, more, nextOffset, truncated, next },
    };
  }
  return {
    text: [summary.join(' '), JSON.stringify(threads)],
    data: { threads, total, more, nextOffset, truncated },
  };
}
