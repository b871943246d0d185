import { type DevicePoll, routes } from '@stoa/contract';
import { WorkspaceError } from '@stoa/core';
import { pollDeviceCode } from '../../../service/device/poll-device-code.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';

export const pollDeviceOperation = operation(routes.pollDevice, async ({ deps, query }) => {
  const { device_code: deviceCode = '' } = query;
  if (deviceCode === '') throw new WorkspaceError('device_code_required');
  const outcome = await pollDeviceCode(deps.service, deviceCode);
  return json(200, pollResponse(outcome, deps.baseUrl));
});

function pollResponse(outcome: Awaited<ReturnType<typeof pollDeviceCode>>, baseUrl: string): DevicePoll {
  switch (outcome.kind) {
    case 'pending':
      return { status: 'pending' };
    case 'approved':
      return {
        status: 'approved',
        api_key: outcome.secret,
        api_key_id: outcome.keyId,
        workspace_id: outcome.workspaceId,
        api_base: baseUrl,
      };
  }
}
