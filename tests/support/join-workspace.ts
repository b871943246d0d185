import assert from 'node:assert/strict';
import { jsonOf, textAt } from './answer.ts';
import type { Person } from './people.ts';
import type { WorkspaceClient } from './workspace-client.ts';

/** Lets a person join by an invite of the owner's. @returns the workspace for that person, by session. */
export async function joinWorkspace(
  workspace: WorkspaceClient,
  owner: Person,
  person: Person,
): Promise<WorkspaceClient> {
  const invite = await owner.session.send('POST', '/api/invites', { json: { workspaceId: workspace.id } });
  assert.equal(invite.status, 200, `invite: ${invite.status} ${invite.bytes.toString()}`);
  const token = new URL(textAt(jsonOf(invite), 'url')).pathname.split('/').at(-1) ?? '';
  const accepted = await person.session.send('POST', `/api/invites/${token}/accept`);
  assert.equal(accepted.status, 200, `accept: ${accepted.status} ${accepted.bytes.toString()}`);
  return workspace.as(person.session);
}
