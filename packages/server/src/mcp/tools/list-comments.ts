import { extendedTools, type ToolInput, tools } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { threadRecord } from '../../records/thread-record.ts';
import type { WorkspaceAccess } from '../../service/access.ts';
import { listThreads } from '../../service/comments/list-threads.ts';
import { answerMax } from '../answer-size.ts';
import { briefThreads } from '../brief-threads.ts';
import { counted } from '../counted.ts';
import type { McpDeps } from '../mcp-deps.ts';
import { type ToolAnswer, workspaceTool } from '../tool.ts';

interface ListCall {
  readonly deps: McpDeps;
  readonly access: WorkspaceAccess;
  readonly input: ToolInput<typeof tools.listComments>;
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
    const isTooMuch = characters > answerMax.maxCharacters || bytes > answerMax.maxBytes;
    if (isTooMuch && shown.length > 0) break;
    shown.push(isTooMuch ? block.slice(0, answerMax.maxCharacters / 3).toWellFormed() : block);
  }
  const next = shown.length < blocks.length ? input.offset + shown.length : nextOffset;
  const facts = [
    total === 0 ? noThreads : `${counted(total, 'thread')}, ${shown.length} of them here.`,
    ...(next === null ? [] : [`More: offset ${next}.`]),
    ...(truncated ? ['Truncated: not all threads were looked at. Narrow the other filters.'] : []),
  ];
  return { text: [facts.join(' '), ...shown].join('\n') };
});

const noThreads = '0 threads. No filter: all threads. add_comment starts one.';

function find({ deps, access, input }: ListCall) {
  return listThreads(deps.service, access, {
    path: input.path === undefined ? null : parseWorkspacePath(input.path),
    threadId: input.threadId ?? null,
    status: input.status ?? null,
    anchorStatus: input.anchorStatus ?? null,
    authorId: input.author ?? null,
    limit: input.limit,
    offset: input.offset,
    entriesLimit: input.entriesLimit,
    entriesOffset: input.entriesOffset,
  });
}

async function list(call: ListCall): Promise<ToolAnswer> {
  const list = await find(call);
  const { total, nextOffset, truncated } = list;
  const threads = list.threads.map(threadRecord);
  const more = nextOffset !== null;
  const summary = [
    `${counted(total, 'thread')}, ${threads.length} of them here.`,
    more ? `More: call again with offset ${nextOffset}.` : 'This is the last page (nextOffset null).',
    ...(truncated ? ['Truncated: not all threads were looked at. Narrow the other filters.'] : []),
  ];
  if (total === 0) {
    const next = 'No filter: all threads. add_comment starts one.';
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
