import type { StoaApiError } from '@stoa/client';
import { deviceNotices } from '../text/en/device.ts';

/** Whether the code has ended: it cannot be answered any more. */
export function hasEnded({ code }: Pick<StoaApiError, 'code'>): boolean {
  return code !== null && Object.hasOwn(deviceNotices, code);
}

/** What a refusal means to a person at this page. */
export function noticeOf({
  code,
  status,
  message,
}: Pick<StoaApiError, 'code' | 'status' | 'message'>): string {
  return deviceNotices[code ?? ''] ?? deviceNotices[String(status)] ?? message;
}
