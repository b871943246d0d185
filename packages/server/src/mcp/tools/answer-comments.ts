import { extendedTools } from '@stoa/contract';
import { type ErrorCode, WorkspaceError } from '@stoa/core';
import { addReply } from '../../service/comments/add-reply.ts';
import { setResolved } from '../../service/comments/set-resolved.ts';
import { counted } from '../counted.ts';
import { workspaceTool } from '../tool.ts';

/** Errors of one thread rather than of the caller or the workspace. The other threads continue. */
const ofOneThread: ReadonlySet<ErrorCode> = new Set(['thread_not_found', 'too_many_replies']);

export const answerCommentsTool = workspaceTool(
  extendedTools.answerComments,
  async ({ deps, access, input }) => {
    const { answers: responses, dedupeKey = null } = input;
    const failed: { threadId: string; error: string }[] = [];
    // Sets, because a call may name a thread twice.
    const [respondedIds, resolvedIds] = [new Set<string>(), new Set<string>()];
    for (const { threadId, body, resolved: wanted } of responses) {
      try {
        if (body === undefined && wanted === undefined) {
          failed.push({ threadId, error: 'nothing_to_do' });
          continue;
        }
        if (body !== undefined) {
          await addReply(deps.service, access, { threadId, body, dedupeKey });
          respondedIds.add(threadId);
        }
        if (wanted !== undefined) {
          await setResolved(deps.service, access, { threadId, resolved: wanted });
          if (wanted) resolvedIds.add(threadId);
          else resolvedIds.delete(threadId);
        }
      } catch (error) {
        if (!(error instanceof WorkspaceError)) throw error;
        // The whole call fails only if it has changed nothing yet.
        if (!ofOneThread.has(error.code) && respondedIds.size + resolvedIds.size === 0) throw error;
        failed.push({ threadId, error: error.code });
      }
    }
    const [responded, resolved] = [respondedIds.size, resolvedIds.size];
    const done = `Answered ${counted(responded, 'thread')}, resolved ${resolved}.`;
    if (failed.length === 0) return { text: done, data: { ok: true, answered: responded, resolved } };
    const shows = 'list_comments shows the threads there are.';
    const next =
      failed.length === responses.length ? shows : `${shows} The others are done: do not send them again.`;
    const faults = failed.map(({ threadId, error }) => `${threadId}: ${error}`).join(', ');
    return {
      text: `${done} Failed: ${faults}. ${next}`,
      data: { ok: false, answered: responded, resolved, failed, next },
    };
  },
);
