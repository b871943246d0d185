import { type ApprovedDevice, routes } from '@stoa/contract';
import { approveDeviceCode } from '../../../service/device/approve-device-code.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const approveDeviceOperation = operation(routes.approveDevice, async ({ deps, caller, body }) => {
  const { keyId, workspaceId } = await approveDeviceCode(deps.service, caller, body);
  const response: ApprovedDevice = { status: 'approved', keyId, workspaceId };
  return json(200, response);
});
