import { anchorConflictBody, anchorFault, tools, type UnplacedAnchor } from '@stoa/contract';
import { invalidRequest, parseWorkspacePath } from '@stoa/core';
import { threadRecord } from '../../records/thread-record.ts';
import { startThread } from '../../service/comments/start-thread.ts';
import { workspaceTool } from '../tool.ts';

export const addCommentTool = workspaceTool(tools.addComment, async ({ deps, access, input }) => {
  const fault = anchorFault(input);
  if (fault !== null) throw invalidRequest(`${fault.field}: ${fault.text}`);
  const outcome = await startThread(deps.service, access, {
    ...input,
    path: parseWorkspacePath(input.path),
    baseVersion: input.baseVersion ?? null,
  });
  if (outcome.kind === 'created') {
    const thread = threadRecord(outcome.thread);
    return {
      text: [`Started the thread ${thread.id} on ${thread.path}.`, JSON.stringify(thread)],
      data: { ok: true, thread },
    };
  }
  const conflict = anchorConflictBody(outcome);
  const { what, next } = adviceOn(outcome);
  return {
    text: [`No thread was started: ${what} ${next}`, JSON.stringify(conflict)],
    data: { ok: false, ...conflict, next },
  };
});

function adviceOn(outcome: UnplacedAnchor): { readonly what: string; readonly next: string } {
  switch (outcome.kind) {
    case 'ambiguous':
      return {
        what: `the quote occurs in the file ${outcome.occurrences} times.`,
        next: 'Give occurrence, or the text around it as contextBefore and contextAfter.',
      };
    case 'not_found':
      return {
        what: 'the quote is not in the file.',
        next: 'Read the file again and copy the text exactly.',
      };
    case 'base_version_conflict': {
      const { baseVersion, currentVersion, reason } = outcome;
      return reason === 'quote_changed'
        ? {
            what: `the quoted text changed between version ${baseVersion} and ${currentVersion}.`,
            next: 'Read the file again and quote its current text.',
          }
        : {
            what: `version ${baseVersion} is not there to look at; the current one is ${currentVersion}.`,
            next: 'Read the file again and quote from it.',
          };
    }
  }
}
