import type {
  ApproveDeviceInput,
  ApprovedDevice,
  DeniedDevice,
  DeviceCode,
  DevicePoll,
  DeviceRequest,
} from '@stoa/contract';
import { answerOf } from './answer-of.ts';
import type { CallOptions, Transport } from './transport.ts';

/** Specification: Device authorisation flow. Refusals throw `StoaApiError`, whose code is the word of the specification. */
export interface DeviceCalls {
  /** The device's part, without any credential. */
  createDeviceCode(options?: CallOptions): Promise<DeviceCode>;
  /** Not sooner than the code's `interval` after the poll before. The key is in one answer only. */
  pollDevice(deviceCode: string, options?: CallOptions): Promise<DevicePoll>;
  /** The person's part, with a session: looking a code up makes it theirs. */
  lookUpDevice(userCode: string, options?: CallOptions): Promise<DeviceRequest>;
  approveDevice(approval: ApproveDeviceInput, options?: CallOptions): Promise<ApprovedDevice>;
  denyDevice(userCode: string, options?: CallOptions): Promise<DeniedDevice>;
}

export function deviceCalls(transport: Transport): DeviceCalls {
  const post = <Answer extends object>(step: string, value: object, options: CallOptions) =>
    answerOf<Answer>(transport, {
      method: 'POST',
      path: `/api/device/${step}`,
      body: { kind: 'json', value },
      ...options,
    });
  return {
    createDeviceCode: async (options = {}) =>
      answerOf<DeviceCode>(transport, { method: 'POST', path: '/api/device/code', ...options }),
    pollDevice: async (deviceCode, options = {}) =>
      answerOf<DevicePoll>(transport, {
        method: 'GET',
        path: '/api/device/poll',
        query: { device_code: deviceCode },
        ...options,
      }),
    lookUpDevice: async (userCode, options = {}) => post<DeviceRequest>('lookup', { userCode }, options),
    approveDevice: async (approval, options = {}) => post<ApprovedDevice>('approve', approval, options),
    denyDevice: async (userCode, options = {}) => post<DeniedDevice>('deny', { userCode }, options),
  };
}
