import { tools } from '@stoa/contract';
import { entryRecord } from '../../records/thread-record.ts';
import { addReply } from '../../service/comments/add-reply.ts';
import { workspaceTool } from '../tool.ts';

export const replyCommentTool = workspaceTool(tools.replyComment, async ({ deps, access, input }) => {
  const { threadId, body, dedupeKey = null } = input;
  const reply = await addReply(deps.service, access, { threadId, body, dedupeKey });
  const entry = entryRecord(reply.entry);
  const { deduped } = reply;
  const done = deduped ? 'This reply was there already (deduped)' : 'Replied';
  return {
    text: [`${done} in the thread ${threadId}.`, JSON.stringify(entry)],
    data: { ok: true, entry, deduped },
  };
});
