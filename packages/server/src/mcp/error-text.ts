import { errorText } from '@stoa/contract';
import type { ErrorCode, ErrorDetails, WorkspaceError } from '@stoa/core';

type NextStep = (details: ErrorDetails) => string;

/** Next steps for an agent, where the common text does not give one. */
const nextSteps: Partial<Record<ErrorCode, NextStep>> = {
  invalid_path: ({ argument = 'path' }) =>
    `in ${argument}, give a path like notes/plan.md, from the root of the workspace on`,
  path_taken: () => 'list_files shows the existing paths',
  workspace_not_found: () => 'list_workspaces shows the workspaces you can use',
  not_a_member: () => 'list_workspaces shows the workspaces you can use',
  key_not_scoped: () => 'leave workspaceId out; this key acts in its own workspace',
  key_only_reads: () => 'tell the person you work for what to change; they can make a key that may',
  key_only_comments: () => 'add_comment says what to change; a person can make a key that may',
  key_not_for_workspace: () => 'tell the person you work for; they can change it in the web app',
  file_not_found: () => 'list_files and search_files show what there is',
  thread_not_found: () => 'list_comments shows the threads there are',
  share_not_found: () => 'list_shares shows the links of a path',
  share_needs_session: () => 'leave access out for a link for members, or tell the person you work for',
  too_many_shares: () => 'list_shares shows them, revoke_share ends one',
  version_not_found: () => 'read_file tells the current version; earlier ones count down from it to 1',
  not_markdown: () => 'use a path that ends in .md or .markdown',
  workspace_read_only: () => 'reading, moving and deleting still work; tell the person you work for',
  workspace_limit_exceeded: ({ used, limit }) =>
    `you own ${used} of at most ${limit}; use one that list_workspaces shows, or ask the person you work for`,
  file_too_large: ({ limitBytes }) => `the limit is ${limitBytes} bytes; split it into several files`,
  private_item: () => 'its owner can call set_private with private false first',
  storage_full: () => 'tell the person you work for',
  storage_refused: () => 'tell the person you work for',
};

/** Own texts, where the common text names something that no tool shows. */
const ownTexts: Partial<Record<ErrorCode, string>> = { version_not_found: 'Version not found' };

/**
 * Returns the text of a hard error: the problem, and what to do next (interface: mcp, Results). It begins with the
 * text of the same error in REST, except for `ownTexts`.
 */
export function rejectionText(error: WorkspaceError): string {
  const text = error.message === '' ? (ownTexts[error.code] ?? errorText(error)) : errorText(error);
  const next = nextSteps[error.code];
  return next === undefined ? text : `${text}. Next: ${next(error.details)}.`;
}
