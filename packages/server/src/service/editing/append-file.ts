import { isUtf8 } from 'node:buffer';
import { invalidRequest, type QuotaError, type WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { readWhole } from '../contents/read-whole.ts';
import { findFormerPath } from '../files/find-former-path.ts';
import { rejectHidden } from '../privacy/find-owner.ts';
import { rejectReadOnly } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { tryInOrder, writeOver } from './try-in-order.ts';

/** Maximum size of a file after an append: each version is stored whole. */
export const appendedFileMaxBytes = 8 * 1024 * 1024;

export type AppendOutcome =
  | { readonly kind: 'created' | 'updated'; readonly version: number; readonly sizeBytes: number }
  /** A file was here and was moved or deleted: nothing was added. */
  | { readonly kind: 'departed' }
  | QuotaError;

type Deps = Pick<ServiceDeps, 'store' | 'blobs' | 'frontMatter' | 'clock' | 'plans' | 'editing'>;

/**
 * Appends text to a file, on a line of its own, and creates the file if it does not exist (interface: mcp, Parts of
 * files). It does not create a file at a path that another file has left, because a log would then continue in two
 * files. It retries when the file changes concurrently, so it never conflicts.
 * @throws WorkspaceError `file_not_found` when the path is hidden, `path_taken`, `workspace_read_only`,
 * `invalid_request`, `file_too_large`, `overloaded`
 */
export function appendFile(
  deps: Deps,
  access: WorkspaceAccess,
  added: { readonly path: WorkspacePath; readonly text: string },
): Promise<AppendOutcome> {
  return tryInOrder(deps, access.workspace.id, added.path, () => tryAppend(deps, access, added));
}

/** @returns null when the file has changed since it was read. */
async function tryAppend(
  deps: Deps,
  access: WorkspaceAccess,
  { path, text }: { readonly path: WorkspacePath; readonly text: string },
): Promise<AppendOutcome | null> {
  const workspaceId = access.workspace.id;
  const { reader } = deps.store;
  const file = await reader.files.find(workspaceId, path);
  await rejectHidden(reader, workspaceId, path, access.viewer);
  rejectReadOnly(access.workspace);
  if (file === null && (await findFormerPath(reader, { workspaceId, path, viewer: access.viewer })) !== null)
    return { kind: 'departed' };
  const sizeBytes = file?.sizeBytes ?? 0;
  if (sizeBytes > appendedFileMaxBytes) throw tooLarge(`${path} has`, sizeBytes);
  return deps.editing.holding(workspaceId, sizeBytes + text.length, async () => {
    const before = file === null ? new Uint8Array(0) : await readWhole(deps, file);
    if (!isUtf8(before)) {
      throw invalidRequest(
        `${path} is not text, so append_file cannot add to it. Next: write_file with encoding base64 replaces it.`,
      );
    }
    const content = appended(before, text);
    if (content.byteLength > appendedFileMaxBytes) throw tooLarge(`${path} would have`, content.byteLength);
    const contentType = file?.contentType ?? null;
    const outcome = await writeOver(deps, access, path, file, { content, contentType });
    switch (outcome?.kind) {
      case 'created':
      case 'updated':
        return { kind: outcome.kind, version: outcome.version, sizeBytes: content.byteLength };
      // Another writer created a file with the same bytes in the meantime: that is not this append.
      case 'unchanged':
      case undefined:
        return null;
      case 'quota_exceeded':
      case 'file_count_exceeded':
      case 'history_exceeded':
        return outcome;
    }
  });
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Added line ends are those of the file, else of the text. */
function appended(before: Uint8Array, text: string): Uint8Array {
  const lastEnd = before.lastIndexOf(lineFeed);
  const isPair = lastEnd === -1 ? /^[^\n]*\r\n/.test(text) : before[lastEnd - 1] === carriageReturn;
  const lineEnd = isPair ? '\r\n' : '\n';
  const isOnNewLine = before.byteLength === 0 || lastEnd === before.byteLength - 1;
  const added = `${isOnNewLine ? '' : lineEnd}${text}${text.endsWith('\n') ? '' : lineEnd}`;
  return Buffer.concat([before, Buffer.from(added)]);
}

function tooLarge(subject: string, bytes: number): WorkspaceError {
  return invalidRequest(
    `${subject} ${bytes.toLocaleString('en')} bytes; append_file adds to files of up to 8 MiB. Next: begin a new file.`,
  );
}
