import { type DeniedDevice, routes } from '@stoa/contract';
import { denyDeviceCode } from '../../../service/device/deny-device-code.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const denyDeviceOperation = operation(routes.denyDevice, async ({ deps, caller, body }) => {
  await denyDeviceCode(deps.service, caller, body.userCode);
  const response: DeniedDevice = { status: 'denied' };
  return json(200, response);
});
