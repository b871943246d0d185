import type { ChangeRecord } from '@stoa/contract';
import type { ChangeRow } from '../service/ports/changes.ts';

/** Returns a change as it is sent (interface: feed, Change record). Its id contains its position, which is unique. */
export function changeRecord(row: ChangeRow): ChangeRecord {
  return {
    id: `${row.workspaceId}:${row.seq}`,
    workspaceId: row.workspaceId,
    seq: row.seq,
    path: row.path,
    op: row.op,
    version: row.version,
    principal: row.principal,
    actorId: row.actorId,
    actorKeyId: row.actorKeyId,
    actorLabel: row.actorLabel,
    contentHash: row.contentHash,
    createdAt: new Date(row.createdAt).toISOString(),
    ...(row.movedFrom === null ? {} : { movedFrom: row.movedFrom }),
    ...(row.conflictOf === null ? {} : { conflictOf: row.conflictOf, conflictBase: row.conflictBase }),
  };
}
