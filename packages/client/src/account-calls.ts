import type { CreatedKey, CreateKeyInput, Health, KeyList, Me, PlanList } from '@stoa/contract';
import { answerOf } from './answer-of.ts';
import { encodeSegment } from './encode-path.ts';
import type { CallOptions, Transport } from './transport.ts';

/** Specification: Account and top-level endpoints; Key management. Refusals throw `StoaApiError`. */
export interface AccountCalls {
  health(options?: CallOptions): Promise<Health>;
  plans(options?: CallOptions): Promise<PlanList>;
  me(options?: CallOptions): Promise<Me>;
  /** Keys are managed with a session only. */
  createKey(key: CreateKeyInput, options?: CallOptions): Promise<CreatedKey>;
  listKeys(options?: CallOptions): Promise<KeyList>;
  revokeKey(keyId: string, options?: CallOptions): Promise<void>;
}

export function accountCalls(transport: Transport): AccountCalls {
  return {
    health: async (options = {}) =>
      answerOf<Health>(transport, { method: 'GET', path: '/api/health', ...options }),
    plans: async (options = {}) =>
      answerOf<PlanList>(transport, { method: 'GET', path: '/api/plans', ...options }),
    me: async (options = {}) => answerOf<Me>(transport, { method: 'GET', path: '/api/me', ...options }),
    createKey: async (value, options = {}) =>
      answerOf<CreatedKey>(transport, {
        method: 'POST',
        path: '/api/keys',
        body: { kind: 'json', value },
        ...options,
      }),
    listKeys: async (options = {}) =>
      answerOf<KeyList>(transport, { method: 'GET', path: '/api/keys', ...options }),
    revokeKey: async (keyId, options = {}) => {
      await answerOf(transport, { method: 'DELETE', path: `/api/keys/${encodeSegment(keyId)}`, ...options });
    },
  };
}
