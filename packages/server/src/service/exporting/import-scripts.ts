// docs/decisions/0028-exports.md

import { type ContentHash, decideQuota, invalidRequest } from '@stoa/core';
import { defineAuditedScript } from '../auditing/audited-script.ts';
import { planOf } from '../plans.ts';
import type { BlobLocation } from '../ports/blobs.ts';
import type { Existing, ExportedKind, ExportedRow, ImportWriter } from '../ports/exports.ts';
import { defineScript } from '../ports/script.ts';
import type { Transaction } from '../ports/transaction.ts';
import type { WorkspaceImageRow } from '../ports/workspace-images.ts';

type BeginImport = Omit<Parameters<ImportWriter['beginImport']>[0], 'id'> & { readonly workspaceId: string };

/** @throws WorkspaceError `invalid_request` when the catalogue has no such plan */
export const beginImportScript = defineScript<BeginImport, void>(
  'imports.begin',
  async (tx, { workspaceId, ...row }, { plans }) => {
    if (row.planId !== null && !plans.plans.some(({ id }) => id === row.planId)) {
      const known = plans.plans.map(({ id }) => id).join(', ');
      throw invalidRequest(`There is no plan "${row.planId}"; the plans are: ${known}`);
    }
    await tx.write.beginImport({ id: workspaceId, ...row });
  },
);

export interface ImportedContent {
  readonly contentHash: ContentHash;
  readonly sizeBytes: number;
  readonly location: BlobLocation;
}

interface KeepContents {
  readonly workspaceId: string;
  readonly contents: readonly ImportedContent[];
  readonly now: number;
}

/** Leaves the front matter unread: the servers parse it later in the background. */
export const keepContentsScript = defineScript<KeepContents, void>(
  'imports.keep-contents',
  async (tx, { workspaceId, contents, now }) => {
    await requireImporting(tx, workspaceId);
    for (const content of contents) {
      await tx.write.keepBlob({ workspaceId, ...content, createdAt: now });
      await tx.write.leaveUnread(workspaceId, content.contentHash);
    }
  },
);

interface InsertRows {
  readonly workspaceId: string;
  readonly kind: ExportedKind;
  readonly rows: readonly ExportedRow[];
}

export const insertRowsScript = defineScript<InsertRows, void>(
  'imports.insert-rows',
  async (tx, { workspaceId, kind, rows }) => {
    await requireImporting(tx, workspaceId);
    await tx.write.insertImported(kind, workspaceId, rows);
  },
);

interface FormerPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

interface FinishImport {
  readonly workspaceId: string;
  readonly seq: number;
  readonly image: WorkspaceImageRow | null;
  readonly standings: readonly Existing[];
  readonly formerPeople: readonly FormerPerson[];
  readonly now: number;
}

/**
 * Opens a completely imported workspace, which was invisible until now.
 * @throws WorkspaceError `invalid_request` when it exceeds its plan
 */
export const finishImportScript = defineAuditedScript<FinishImport, void>(
  'imports.finish',
  async (tx, { workspaceId, seq, image, standings, formerPeople, now }, { plans }) => {
    await requireImporting(tx, workspaceId);
    for (const person of formerPeople) await tx.write.insertFormerPerson({ ...person, createdAt: now });
    if (image !== null) await tx.write.putWorkspaceImage(workspaceId, image);
    await tx.write.openImported(workspaceId, seq);
    for (const existing of standings) await tx.write.insertStanding(workspaceId, existing);
    await tx.write.recount(workspaceId);
    const workspace = await tx.workspaces.find(workspaceId);
    if (workspace === null) throw new Error('an imported workspace is missing right after it was opened');
    const { usedBytes, usedFiles, historyBytes } = workspace;
    const error = decideQuota(
      { usedBytes: 0, usedFiles: 0, historyBytes: 0 },
      planOf(plans, workspace.planId),
      { bytes: usedBytes, files: usedFiles, historyBytes },
    );
    if (error !== null) {
      throw invalidRequest(
        `The workspace holds ${usedFiles} files of ${usedBytes} bytes and ${historyBytes} bytes of history, more than its plan allows: name another plan (--plan)`,
      );
    }
    tx.noteAudit({ action: 'workspace.import', at: now, workspaceId, targetName: workspace.name });
  },
);

/** Removes the rows of an abandoned import. @returns whether there was one. */
export const discardImportScript = defineScript<{ readonly workspaceId: string }, boolean>(
  'imports.discard',
  async (tx, { workspaceId }) => {
    if (!(await tx.write.isImporting(workspaceId))) return false;
    await tx.write.discardImported(workspaceId);
    return true;
  },
);

async function requireImporting(tx: Transaction, workspaceId: string): Promise<void> {
  if (await tx.write.isImporting(workspaceId)) return;
  throw invalidRequest('The import was discarded while it ran (import-discard). Start it again');
}
