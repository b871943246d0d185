// docs/decisions/0030-audit-log.md
import { type AuditKind, auditPageMax, invalidRequest } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { operator } from '../auditing/origin.ts';
import { requireOwner } from '../members/require-manager.ts';
import type { AuditLocation, AuditQuestion, AuditRow } from '../ports/audit.ts';
import type { Reader } from '../ports/reader.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** An audit entry as its reader may see it, with current user names. */
export interface ReadEntry extends AuditRow {
  /** Empty when the account is deleted. */
  readonly actorName: string;
  readonly personName: string;
}

export interface AuditFilter {
  readonly kind: AuditKind | null;
  readonly personId: string | null;
  readonly since: number | null;
  readonly until: number | null;
}

export interface ReadPage {
  readonly entries: readonly ReadEntry[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/**
 * Reads a page of a workspace's log, newest first (interface: members, Audit log). For owners.
 * @param page.cursor end of the previous page; null starts at the newest.
 * @throws WorkspaceError `forbidden_role`, `invalid_request` for an invalid cursor
 */
export async function readAuditPage(
  { store }: Pick<ServiceDeps, 'store'>,
  access: WorkspaceAccess,
  filter: AuditFilter,
  page: { readonly cursor: string | null; readonly limit: number },
): Promise<ReadPage> {
  requireOwner(access, 'read the audit log');
  const after = page.cursor === null ? null : parseCursor(page.cursor);
  const question = { workspaceId: access.workspace.id, ...filter, after, order: 'newest first' } as const;
  const rows = await store.reader.audit.page({ ...question, limit: page.limit + 1 });
  const shown = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? shown.at(-1) : undefined;
  const entries = await withNames(store.reader, shown, new Map());
  return {
    entries: entries.map((entry) => asSeenBy(entry, access.actor.userId)),
    nextCursor: last === undefined ? null : `${last.createdAt}.${last.id}`,
  };
}

/**
 * Yields all entries of a workspace's log that match the filter, oldest first, page by page. For owners.
 * @throws WorkspaceError `forbidden_role` immediately, before the first page
 */
export function exportAudit(
  deps: Pick<ServiceDeps, 'store'>,
  access: WorkspaceAccess,
  filter: AuditFilter,
): AsyncGenerator<readonly ReadEntry[]> {
  requireOwner(access, 'read the audit log');
  return pagesSeenBy(
    readAllPages(deps, { workspaceId: access.workspace.id, ...filter }),
    access.actor.userId,
  );
}

async function* pagesSeenBy(pages: AsyncIterable<readonly ReadEntry[]>, userId: string) {
  for await (const page of pages) yield page.map((entry) => asSeenBy(entry, userId));
}

/** For operators: with every path, and the operands of each command. */
export async function* readAllPages(
  { store }: Pick<ServiceDeps, 'store'>,
  filter: AuditFilter & { readonly workspaceId: string | null },
): AsyncGenerator<readonly ReadEntry[]> {
  const names = new Map<string, string>();
  let after: AuditLocation | null = null;
  // Terminates because new rows arrive far more slowly than pages are read.
  const until = filter.until ?? Number.MAX_SAFE_INTEGER;
  for (;;) {
    const question: AuditQuestion = { ...filter, until, order: 'oldest first', after, limit: auditPageMax };
    const rows = await store.reader.audit.page(question);
    if (rows.length > 0) yield await withNames(store.reader, rows, names);
    if (rows.length < auditPageMax) return;
    after = rows.at(-1) ?? null;
  }
}

/**
 * Hides a path from readers who could not see it when the entry was written, as the feed does: later sharing reveals
 * nothing. Also hides the operands of operator commands: they may name files of the server.
 */
function asSeenBy(entry: ReadEntry, userId: string): ReadEntry {
  if (entry.action === 'operator.command') return { ...entry, details: '{}' };
  const isHidden = entry.pathOwnerId !== null && entry.pathOwnerId !== userId;
  return isHidden ? { ...entry, path: null } : entry;
}

const namesKept = 1000;

/** The log stores no names, so that they disappear with the account. */
async function withNames(
  { users }: Pick<Reader, 'users'>,
  rows: readonly AuditRow[],
  names: Map<string, string>,
): Promise<readonly ReadEntry[]> {
  if (names.size > namesKept) names.clear();
  names.set(operator.userId, operator.userName);
  for (const id of new Set(rows.flatMap(({ actorId, personId }) => [actorId, personId]))) {
    if (id !== null && !names.has(id)) names.set(id, (await users.find(id))?.name ?? '');
  }
  const nameOf = (id: string | null) => (id === null ? '' : (names.get(id) ?? ''));
  return rows.map((row) => ({ ...row, actorName: nameOf(row.actorId), personName: nameOf(row.personId) }));
}

const cursorShape = /^(\d{1,16})\.(audit_[A-Za-z0-9_-]{1,60})$/;

function parseCursor(given: string): AuditLocation {
  const [, createdAt = '', id = ''] = cursorShape.exec(given) ?? [];
  if (id === '') throw invalidRequest('cursor: must be the nextCursor of a page');
  return { createdAt: Number(createdAt), id };
}
