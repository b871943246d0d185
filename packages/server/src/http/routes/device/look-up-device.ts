import { type DeviceRequest, routes } from '@stoa/contract';
import { lookUpDeviceCode } from '../../../service/device/look-up-device-code.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const lookUpDeviceOperation = operation(routes.lookUpDevice, async ({ deps, caller, body }) => {
  const { userCode, state, clientAddress, userAgent, createdAt, expiresAt, workspaceId } =
    await lookUpDeviceCode(deps.service, caller, body.userCode);
  const response: DeviceRequest = {
    userCode,
    status: state,
    clientAddress,
    userAgent,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    workspaceId,
  };
  return json(200, response);
});
