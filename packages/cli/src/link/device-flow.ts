import { StoaApiError, type StoaClient, StoaConnectionError } from '@stoa/client';
import { ApiKey } from '../config/api-key.ts';
import type { Pace } from '../output/host.ts';

export interface DeviceCodes {
  readonly deviceCode: string;
  readonly userCode: string;
  /** Address of the approval page with the code filled in. */
  readonly approvalUrl: string;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
}

/** Result of the approval (interface: device-flow, Poll). */
export type Approval =
  | {
      readonly kind: 'approved';
      readonly apiKey: ApiKey;
      readonly apiKeyId: string;
      readonly workspaceId: string;
      /** Address of the interface as given by the server. */
      readonly apiBase: string;
    }
  | { readonly kind: 'denied' | 'expired' | 'unknown' }
  /** The key was sent in a response that did not arrive. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'interrupted' };

const slowDownSeconds = 5;
/** Extra time after the codes expire, because a response may be on its way. */
const graceSeconds = 30;
/** Upper limit of all waits, whatever the server says. */
const longestWaitSeconds = 3600;

export async function askForCodes(client: StoaClient, signal: AbortSignal): Promise<DeviceCodes> {
  const code = await client.createDeviceCode({ signal });
  return {
    deviceCode: code.device_code,
    userCode: code.user_code,
    approvalUrl: code.verification_uri_complete,
    expiresInSeconds: Math.min(code.expires_in, longestWaitSeconds),
    intervalSeconds: Math.min(Math.max(code.interval, 1), longestWaitSeconds),
  };
}

/** Polls until the user has decided or the codes have expired. Retries if the server fails. */
export async function awaitApproval(
  client: Pick<StoaClient, 'pollDevice'>,
  codes: DeviceCodes,
  { pace, signal }: { readonly pace: Pace; readonly signal: AbortSignal },
): Promise<Approval> {
  const endsAt = pace.now() + (codes.expiresInSeconds + graceSeconds) * 1000;
  let { intervalSeconds } = codes;
  while (!signal.aborted) {
    await pace.sleep(intervalSeconds * 1000, signal);
    if (signal.aborted) break;
    if (pace.now() >= endsAt) return { kind: 'expired' };
    const response = await poll(client, codes.deviceCode, signal);
    if (response === 'slow_down') intervalSeconds += slowDownSeconds;
    else if (response !== 'pending') return response;
  }
  return { kind: 'interrupted' };
}

async function poll(
  client: Pick<StoaClient, 'pollDevice'>,
  deviceCode: string,
  signal: AbortSignal,
): Promise<Approval | 'pending' | 'slow_down'> {
  try {
    const response = await client.pollDevice(deviceCode, { signal });
    if (response.status !== 'approved') return 'pending';
    return {
      kind: 'approved',
      apiKey: new ApiKey(response.api_key),
      apiKeyId: response.api_key_id,
      workspaceId: response.workspace_id,
      apiBase: response.api_base,
    };
  } catch (error) {
    if (signal.aborted) return { kind: 'interrupted' };
    if (error instanceof StoaConnectionError) return 'pending';
    if (error instanceof StoaApiError) return rejectedPoll(error);
    throw error;
  }
}

function rejectedPoll(error: StoaApiError): Approval | 'pending' | 'slow_down' {
  switch (error.code) {
    case 'slow_down':
      return 'slow_down';
    case 'access_denied':
      return { kind: 'denied' };
    case 'expired_token':
      return { kind: 'expired' };
    case 'already_consumed':
      return { kind: 'lost' };
    case 'invalid_grant':
      return { kind: 'unknown' };
    default:
      if (error.status === 408 || error.status === 429 || error.status >= 500) return 'pending';
      throw error;
  }
}
