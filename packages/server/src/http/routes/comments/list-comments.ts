import { routes } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { threadRecord } from '../../../records/thread-record.ts';
import { listThreads } from '../../../service/comments/list-threads.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const listCommentsOperation = operation(routes.listComments, async ({ deps, access, query }) => {
  const list = await listThreads(deps.service, access, {
    path: query.path === undefined ? null : parseWorkspacePath(query.path),
    threadId: query.threadId ?? null,
    status: query.status ?? null,
    anchorStatus: query.anchorStatus ?? null,
    authorId: query.author ?? null,
    limit: query.limit,
    offset: query.offset ?? 0,
    entriesLimit: query.entriesLimit,
    entriesOffset: query.entriesOffset ?? 0,
  });
  return json(200, { ...list, threads: list.threads.map(threadRecord) });
});
