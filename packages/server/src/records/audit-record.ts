import type { AuditEntry } from '@stoa/contract';
import type { ReadEntry } from '../service/audit/read-audit.ts';

export function auditRecord(entry: ReadEntry): AuditEntry {
  const { actorId, actorName, actorKeyId, actorLabel, personId, personName, targetId, targetName } = entry;
  return {
    id: entry.id,
    at: new Date(entry.createdAt).toISOString(),
    action: entry.action,
    workspaceId: entry.workspaceId,
    by: actorId === null ? null : { id: actorId, name: actorName, keyId: actorKeyId, keyName: actorLabel },
    address: entry.address,
    requestId: entry.requestId,
    person: personId === null ? null : { id: personId, name: personName },
    target: targetId === null && targetName === null ? null : { id: targetId, name: targetName },
    path: entry.path,
    // Only `defineAuditedScript` writes it, as an object of plain values.
    details: JSON.parse(entry.details) as AuditEntry['details'],
  };
}

/** Formats entries as lines of JSON. */
export function auditLines(entries: readonly ReadEntry[]): string {
  return entries.map((entry) => `${JSON.stringify(auditRecord(entry))}\n`).join('');
}
