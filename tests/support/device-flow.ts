import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import type { HttpClient } from './http-client.ts';
import { type HttpResponse, integerAt, jsonOf, textAt } from './response.ts';

/** A device that requested a key, at its own address. */
export interface Device {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly verificationUri: string;
  readonly verificationUriComplete: string;
  readonly expiresIn: number;
  readonly interval: number;
  readonly poll: () => Promise<HttpResponse>;
}

// Concurrent test files call the same service, so each starts at a random address.
let addresses = randomInt(2 ** 24);

/** An address that no other test has used. The service must trust this machine as a proxy. */
export function freshAddress(): string {
  addresses = (addresses + 1) % 2 ** 24;
  return `10.${addresses >> 16}.${(addresses >> 8) & 0xff}.${addresses & 0xff}`;
}

export function askForCode(
  server: HttpClient,
  address: string,
  userAgent = 'stoa-cli/1.0',
): Promise<HttpResponse> {
  const headers = { 'x-forwarded-for': address, 'user-agent': userAgent };
  return server.send('POST', '/api/device/code', { headers });
}

export async function newDevice(server: HttpClient, userAgent?: string): Promise<Device> {
  const response = await askForCode(server, freshAddress(), userAgent);
  assert.equal(response.status, 200, response.bytes.toString());
  const code = jsonOf(response);
  const deviceCode = textAt(code, 'device_code');
  return {
    deviceCode,
    userCode: textAt(code, 'user_code'),
    verificationUri: textAt(code, 'verification_uri'),
    verificationUriComplete: textAt(code, 'verification_uri_complete'),
    expiresIn: integerAt(code, 'expires_in'),
    interval: integerAt(code, 'interval'),
    poll: () => pollWith(server, deviceCode),
  };
}

export function pollWith(server: HttpClient, deviceCode: string): Promise<HttpResponse> {
  return server.send('GET', `/api/device/poll?device_code=${encodeURIComponent(deviceCode)}`);
}
