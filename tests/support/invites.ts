import assert from 'node:assert/strict';
import type { HttpClient } from './http-client.ts';
import type { Person } from './people.ts';
import { jsonOf, textAt } from './response.ts';

/** The options of an invite, as they are sent. */
export interface InviteOptions {
  readonly expiresInDays?: number;
  readonly maxUses?: number;
}

export interface Invite {
  readonly id: string;
  readonly url: string;
  readonly token: string;
}

/** Makes an invite as an owner or admin of the workspace. */
export async function createInvite(
  person: Person,
  workspaceId: string,
  options: InviteOptions = {},
): Promise<Invite> {
  const response = await person.session.send('POST', '/api/invites', { json: { workspaceId, ...options } });
  assert.equal(response.status, 200, `invite: ${response.status} ${response.bytes.toString()}`);
  const invite = jsonOf(response);
  const url = textAt(invite, 'url');
  return { id: textAt(invite, 'id'), url, token: url.slice(url.lastIndexOf('/') + 1) };
}

export const acceptInvite = (client: HttpClient, token: string) =>
  client.send('POST', `/api/invites/${token}/accept`);

/** Makes the person a member by a new invite, and gives them the role. */
export async function join(
  owner: Person,
  person: Person,
  workspaceId: string,
  role: 'member' | 'admin' | 'owner' = 'member',
): Promise<void> {
  const { token } = await createInvite(owner, workspaceId);
  const response = await acceptInvite(person.session, token);
  assert.equal(response.status, 200, `accept: ${response.status} ${response.bytes.toString()}`);
  if (role === 'member') return;
  const path = `/api/workspaces/${workspaceId}/members/${person.id}`;
  const changed = await owner.session.send('PATCH', path, { json: { role } });
  assert.equal(changed.status, 200, `role: ${changed.status} ${changed.bytes.toString()}`);
}
