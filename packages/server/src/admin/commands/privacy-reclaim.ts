import { type NodeKind, parseWorkspacePath, WorkspaceError, type WorkspacePath } from '@stoa/core';
import { operateReclaim } from '../../service/privacy/reclaim-from-former-member.ts';
import { inWorkspace } from '../change-workspace.ts';
import { type Command, RejectedCommand } from '../command.ts';
import { nameOf, requirePerson } from '../person.ts';

export const privacyReclaim: Command = {
  name: 'privacy reclaim',
  summary: 'Share a private item of a former member or of a disabled account, or give it to a member.',
  operands: ['workspaceId', 'path'],
  audit: 'by its scripts',
  options: {
    to: {
      type: 'string',
      required: false,
      says: 'id or e-mail address of the member who gets it as a private item',
    },
  },
  async run({ service }, input) {
    const {
      operands: [workspaceId = '', given = ''],
      options,
    } = input;
    const path = parseWorkspacePath(given);
    const to = typeof options.to === 'string' ? await requirePerson(service, options.to, input) : null;
    if (to !== null && to.disabledAt !== null) {
      throw new RejectedCommand(`${nameOf(to)} is disabled and cannot receive it`);
    }
    const kind = await inWorkspace(workspaceId, () =>
      operateReclaim(service, workspaceId, { path, toUserId: to?.id ?? null }),
    ).catch((error: unknown) => {
      throw errorOf(error, workspaceId, to === null ? '' : nameOf(to));
    });
    if (to !== null) return outcome(path, kind, to.id, `private to ${nameOf(to)}`);
    const { reader } = service.store;
    // The record of a parent folder now decides.
    const above = await reader.nodes.decidingPrivacy(workspaceId, path);
    if (above === null) return outcome(path, kind, null, 'shared with the members');
    const owner = await reader.users.find(above.ownerId);
    const whose = owner === null ? above.ownerId : nameOf(owner);
    return outcome(path, kind, above.ownerId, `private to ${whose}, as all of ${above.path} is`);
  },
};

const outcome = (path: WorkspacePath, kind: NodeKind, ownerId: string | null, now: string) => ({
  json: { path, kind, ownerId },
  text: `The ${kind} ${path} is ${now}.`,
});

function errorOf(error: unknown, workspaceId: string, to: string): unknown {
  if (!(error instanceof WorkspaceError)) return error;
  switch (error.code) {
    case 'file_not_found':
      return new RejectedCommand(
        `no former member or disabled account has this private item; \`npm run admin -- privacy list ${workspaceId}\` lists them`,
      );
    case 'member_not_found':
      return new RejectedCommand(`${to} is not a member of the workspace and would not see it`);
    default:
      return error;
  }
}
