import { anchorConflictBody, routes } from '@stoa/contract';
import { parseWorkspacePath } from '@stoa/core';
import { threadRecord } from '../../../records/thread-record.ts';
import { startThread } from '../../../service/comments/start-thread.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const startThreadOperation = operation(routes.startThread, async ({ deps, access, body }) => {
  const outcome = await startThread(deps.service, access, {
    ...body,
    path: parseWorkspacePath(body.path),
    baseVersion: body.baseVersion ?? null,
  });
  return outcome.kind === 'created'
    ? json(201, { thread: threadRecord(outcome.thread) })
    : json(409, anchorConflictBody(outcome));
});
