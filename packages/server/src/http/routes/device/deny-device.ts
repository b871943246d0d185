import { type DeniedDevice, routes } from '@stoa/contract';
import { denyDeviceCode } from '../../../service/device/deny-device-code.ts';
import { json } from '../../answers/answer.ts';
import { operation } from '../../operation.ts';

export const denyDeviceOperation = operation(routes.denyDevice, async ({ deps, caller, body }) => {
  await denyDeviceCode(deps.service, caller, body.userCode);
  const answer: DeniedDevice = { status: 'denied' };
  return json(200, answer);
});
