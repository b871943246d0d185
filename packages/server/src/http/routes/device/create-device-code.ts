import { type DeviceCode, routes } from '@stoa/contract';
import { deviceCodeLifetimeSeconds, devicePollIntervalSeconds } from '@stoa/core';
import { issueDeviceCode } from '../../../service/device/issue-device-code.ts';
import { operation } from '../../operation.ts';
import { header } from '../../request/headers.ts';
import { json } from '../../responses/response.ts';

export const createDeviceCodeOperation = operation(
  routes.createDeviceCode,
  async ({ deps, raw, clientAddress }) => {
    const userAgent = header(raw, 'user-agent') ?? '';
    const { deviceCode, userCode } = await issueDeviceCode(deps.service, { clientAddress, userAgent });
    const verificationUri = `${deps.appUrl}/link`;
    const response: DeviceCode = {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: verificationUri,
      verification_uri_complete: `${verificationUri}?code=${userCode}`,
      expires_in: deviceCodeLifetimeSeconds,
      interval: devicePollIntervalSeconds,
    };
    return json(200, response);
  },
);
