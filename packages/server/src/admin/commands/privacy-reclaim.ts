import { parseWorkspacePath, WorkspaceError } from '@stoa/core';
import { operateReclaim } from '../../service/privacy/reclaim-departed.ts';
import { inWorkspace } from '../change-workspace.ts';
import { type Command, RefusedCommand } from '../command.ts';

export const privacyReclaim: Command = {
  name: 'privacy reclaim',
  summary: 'Share a private item of somebody who has left a workspace, or give it to a member.',
  operands: ['workspaceId', 'path'],
  audit: 'by its scripts',
  options: {
    to: { type: 'string', required: false, says: 'the id of the member to whom it becomes private' },
  },
  async run({ service }, { operands: [workspaceId = '', given = ''], options }) {
    const path = parseWorkspacePath(given);
    const toUserId = typeof options.to === 'string' ? options.to : null;
    const kind = await inWorkspace(workspaceId, () =>
      operateReclaim(service, workspaceId, { path, toUserId }),
    ).catch((error: unknown) => {
      throw refusalOf(error, workspaceId, toUserId);
    });
    const now = toUserId === null ? 'shared with the members' : `private to ${toUserId}`;
    return { json: { path, kind, ownerId: toUserId }, text: `The ${kind} ${path} is ${now}.` };
  },
};

function refusalOf(error: unknown, workspaceId: string, toUserId: string | null): unknown {
  if (!(error instanceof WorkspaceError)) return error;
  switch (error.code) {
    case 'file_not_found':
      return new RefusedCommand(
        `nobody who left has this private item; \`npm run admin -- privacy list ${workspaceId}\` shows them`,
      );
    case 'member_not_found':
      return new RefusedCommand(
        `${toUserId} is not a member of the workspace; \`npm run admin -- user list\` shows all accounts`,
      );
    default:
      return error;
  }
}
