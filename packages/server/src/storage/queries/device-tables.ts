import type { DeviceCodeState, UserCode } from '@stoa/core';

export interface DeviceCodeTable {
  device_code_hash: string;
  user_code: UserCode;
  state: DeviceCodeState;
  client_address: string;
  user_agent: string;
  created_at: number;
  expires_at: number;
  last_polled_at: number | null;
  claimed_by: string | null;
  workspace_id: string | null;
  key_id: string | null;
  secret_hash: string;
  secret_start: string;
  sealed_secret: Uint8Array | null;
}

export interface RecentAttemptTable {
  bucket: string;
  /** A JSON list of times. */
  attempts: string;
  stale_at: number;
}
