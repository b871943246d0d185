import { tools } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { threadRecord } from '../../records/thread-record.ts';
import { listThreads } from '../../service/comments/list-threads.ts';
import { workspaceTool } from '../tool.ts';

export const listCommentsTool = workspaceTool(tools.listComments, async ({ deps, access, input }) => {
  const list = await listThreads(deps.service, access, {
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
  const { total, nextOffset, truncated } = list;
  const threads = list.threads.map(threadRecord);
  const more = nextOffset !== null;
  const summary = [
    `${total} threads, ${threads.length} of them here.`,
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
});
