import type { StoaApiError } from '@stoa/client';
import { ownValue } from '../store/own-value.ts';
import { deviceNotices } from '../text/en/device.ts';

/** Whether the code has ended: it can no longer be approved or denied. */
export function hasEnded({ code }: Pick<StoaApiError, 'code'>): boolean {
  return code !== null && Object.hasOwn(deviceNotices, code);
}

/** The message for an error on this page. */
export function noticeOf({
  code,
  status,
  message,
}: Pick<StoaApiError, 'code' | 'status' | 'message'>): string {
  return ownValue(deviceNotices, code ?? '') ?? deviceNotices[String(status)] ?? message;
}
