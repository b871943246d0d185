import { WorkspaceError } from '@stoa/core';
import type { Caller } from '../../../service/access/workspace-access.ts';
import { approveDeviceCode } from '../../../service/device/approve-device-code.ts';
import { denyDeviceCode } from '../../../service/device/deny-device-code.ts';
import { lookUpDeviceCode } from '../../../service/device/look-up-device-code.ts';
import { listWorkspaces } from '../../../service/workspaces/list-workspaces.ts';
import type { HttpDeps } from '../../http-deps.ts';
import type { LinkView } from './link-page.ts';

/**
 * Does what a form of the page asks for, and says what to show next.
 * @throws WorkspaceError those of the device flow's use cases; `route_not_found` for an unknown form
 */
export async function answerLinkForm(
  service: HttpDeps['service'],
  caller: Caller,
  form: URLSearchParams,
): Promise<LinkView> {
  const code = form.get('code') ?? '';
  switch (form.get('action')) {
    case 'look-up': {
      const request = await lookUpDeviceCode(service, caller, code);
      const workspaces = (await listWorkspaces(service, caller)).map(({ workspace }) => workspace);
      return { kind: 'review', request, workspaces, personName: caller.actor.userName };
    }
    case 'approve':
      await approveDeviceCode(service, caller, {
        userCode: code,
        workspaceId: form.get('workspace') ?? '',
        name: form.get('name') ?? undefined,
        actorType: form.get('actor'),
      });
      return { kind: 'approved' };
    case 'deny':
      await denyDeviceCode(service, caller, code);
      return { kind: 'denied' };
    default:
      throw new WorkspaceError('route_not_found');
  }
}
