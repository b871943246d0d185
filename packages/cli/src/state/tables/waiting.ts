import type { HoldKind, HoldMember, SkipReason } from '@stoa/core';
import type { HoldRow, SkippedRow } from '../../engine/ports/state-rows.ts';
import { rowTable } from './table.ts';

export const skipped = rowTable<string, SkippedRow>(
  'left_out',
  [
    'path TEXT PRIMARY KEY',
    'reason TEXT NOT NULL',
    'detail TEXT',
    'since INTEGER NOT NULL',
    'retry_at INTEGER',
  ],
  {
    toValues: ({ reason, detail, since, retryAt }) => [reason, detail, since, retryAt],
    fromValues: ([, reason, detail, since, retryAt], path) => ({
      path,
      reason: reason as SkipReason,
      detail: detail as string | null,
      since: since as number,
      retryAt: retryAt as number | null,
    }),
  },
);

export const hold = rowTable<string, HoldRow>(
  'hold',
  [
    'id TEXT PRIMARY KEY',
    'kind TEXT NOT NULL',
    'members TEXT NOT NULL',
    'since INTEGER NOT NULL',
    'confirmed INTEGER NOT NULL',
  ],
  {
    toValues: ({ kind, members, since, isConfirmed }) => [
      kind,
      JSON.stringify(members.map(({ path, hash }) => [path, hash])),
      since,
      isConfirmed ? 1 : 0,
    ],
    fromValues: ([, kind, members, since, confirmed], id) => ({
      id,
      kind: kind as HoldKind,
      members: (JSON.parse(members as string) as [HoldMember['path'], HoldMember['hash']][]).map(
        ([path, hash]) => ({ path, hash }),
      ),
      since: since as number,
      isConfirmed: confirmed === 1,
    }),
  },
);
