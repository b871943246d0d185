import type { Caller } from '../../../src/service/access.ts';
import { issueDeviceCode } from '../../../src/service/device/issue-device-code.ts';
import { createWorkspace } from '../../../src/service/workspaces/create-workspace.ts';
import { type AuthUnderTest, type ada, cookieOf } from '../../auth/support/start-auth.ts';

let devices = 0;

/** A code for a device with an address of its own, so that no test runs into the limit of another. */
export async function newCode(server: AuthUnderTest, clientAddress?: string, userAgent = 'stoa-cli/1.0') {
  devices += 1;
  const address = clientAddress ?? `198.51.${devices >> 8}.${devices & 0xff}`;
  return await issueDeviceCode(server.deps, { clientAddress: address, userAgent });
}

export async function signedUp(server: AuthUnderTest, person: typeof ada): Promise<Caller> {
  const cookie = cookieOf(await server.post('sign-up/email', person));
  return await server.auth.authenticate({ apiKey: null, cookie });
}

export async function newWorkspace(server: AuthUnderTest, owner: Caller): Promise<string> {
  const fields = { name: 'Notes', icon: null, color: null };
  return (await createWorkspace({ ...server.deps, seedWorkspaces: false }, owner, fields)).id;
}
