import { routes } from '@stoa/contract';
import { entryRecord } from '../../../records/thread-record.ts';
import { addReply } from '../../../service/comments/add-reply.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const addReplyOperation = operation(routes.addReply, async ({ deps, access, params, body }) => {
  const { entry, deduped } = await addReply(deps.service, access, {
    threadId: params.threadId,
    body: body.body,
    dedupeKey: body.dedupeKey ?? null,
  });
  return json(201, { entry: entryRecord(entry), deduped });
});
