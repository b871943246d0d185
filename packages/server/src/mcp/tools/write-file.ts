import { extendedTools, type ToolInput, tools } from '@stoa/contract';
import { parseWorkspacePath, WorkspaceError, type WorkspacePath, type WritePrecondition } from '@stoa/core';
import type { WorkspaceAccess } from '../../service/access.ts';
import { mergeWrite } from '../../service/editing/merge-write.ts';
import {
  rejectingEarly,
  rejectWriteEarly,
  type WriteOutcome,
  writeFile,
} from '../../service/files/write-file.ts';
import { type ContentArgument, contentArgument } from '../content-argument.ts';
import { type FormerPathText, formerPathText, movedResponse } from '../former-path-text.ts';
import { type LargeContent, largeContent } from '../large-message.ts';
import type { McpDeps } from '../mcp-deps.ts';
import { quotaResponse } from '../quota-result.ts';
import { type ToolResponse, workspaceTool } from '../tool.ts';

interface WriteCall {
  readonly deps: McpDeps;
  readonly access: WorkspaceAccess;
  readonly input: ToolInput<typeof tools.writeFile>;
  readonly content: LargeContent | null;
}

export const writeFileTool = workspaceTool(tools.writeFile, write);

/** In the extended set a stale write can be merged. If that fails, it becomes a conflicted copy as usual. */
export const writeOrMergeFileTool = workspaceTool(extendedTools.writeFile, async (call) => {
  const { deps, access, input } = call;
  const { baseVersion } = input;
  if (input.merge !== true || baseVersion === undefined) return write(call);
  const path = parseWorkspacePath(input.path);
  const content = contentOf(call);
  const { sizeBytes: declaredBytes } = content;
  await rejectWriteEarly(deps.service, access, { path, precondition: seen(baseVersion), declaredBytes });
  const chunks: Uint8Array[] = [];
  for await (const chunk of content.chunks()) chunks.push(chunk);
  const written = { path, baseVersion, content: Uint8Array.from(Buffer.concat(chunks)) };
  const outcome = await mergeWrite(deps.service, access, written);
  switch (outcome.kind) {
    case 'not_merged':
      return write(call);
    case 'merged': {
      const { version } = outcome;
      return {
        text: `Merged with what others wrote since version ${baseVersion}: ${path}, version ${version}.`,
        data: { ok: true, version, merged: true },
      };
    }
    case 'quota_exceeded':
    case 'file_count_exceeded':
    case 'history_exceeded':
      return quotaResponse(outcome);
  }
});

async function write(call: WriteCall): Promise<ToolResponse> {
  const path = parseWorkspacePath(call.input.path);
  const { baseVersion } = call.input;
  // A write without a base version only creates: it never overwrites an existing file.
  if (baseVersion === undefined)
    return writeResponse(call, path, await writeIf(call, path, { kind: 'absent' }), null);
  try {
    const existing = { ...seen(baseVersion), kind: 'standing' } as const;
    return await writeResponse(call, path, await writeIf(call, path, existing), null);
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.code !== 'file_not_found') throw error;
  }
  // The file is gone. A moved file must not be created a second time; a deleted one is created again.
  const gone = await formerPathText(call.deps, call.access, path, true);
  if (gone?.former.kind === 'moved') return movedResponse('Nothing was written', path, gone);
  return writeResponse(call, path, await writeIf(call, path, seen(baseVersion)), gone);
}

function writeIf(
  call: WriteCall,
  path: WorkspacePath,
  precondition: WritePrecondition,
): Promise<WriteOutcome> {
  const { deps, access } = call;
  const content = contentOf(call);
  const { sizeBytes: declaredBytes } = content;
  const rejectable = {
    declaredBytes,
    isBodyHeldBack: false,
    rejectEarly: () => rejectWriteEarly(deps.service, access, { path, precondition, declaredBytes }),
  };
  return rejectingEarly(deps.service, access, rejectable, () =>
    writeFile(deps.service, access, {
      path,
      precondition,
      onConflict: 'keep',
      contentType: null,
      body: content.chunks(),
      emptyAllowed: true,
    }),
  );
}

function contentOf({ input, content }: WriteCall): ContentArgument {
  return content === null ? contentArgument(input.content, input.encoding) : largeContent(content);
}

function seen(version: number) {
  return { kind: 'version', version, contentHash: null } as const;
}

/** @param gone what happened to the previous file, if this creates it again */
async function writeResponse(
  { deps, access, input }: WriteCall,
  path: WorkspacePath,
  outcome: WriteOutcome,
  gone: FormerPathText | null,
): Promise<ToolResponse> {
  switch (outcome.kind) {
    case 'created':
    case 'updated':
    case 'unchanged': {
      const { kind, version } = outcome;
      const done = { created: 'Created', updated: 'Updated', unchanged: 'Already the same content:' }[kind];
      if (kind !== 'created' || gone === null)
        return { text: `${done} ${path}, version ${version}.`, data: { ok: true, version } };
      const next = `The file ${gone.what}: this is a new one.`;
      return { text: `${done} ${path}, version ${version}. ${next}`, data: { ok: true, version, next } };
    }
    case 'conflict': {
      const { currentVersion, conflictCopyPath } = outcome;
      const next = `Read ${path} again, merge both, write with baseVersion ${currentVersion}, then delete the copy.`;
      return {
        text: `Not written: ${path} is at version ${currentVersion}. Your content is saved at ${conflictCopyPath}. ${next}`,
        data: { ok: false, currentVersion, conflictCopyPath, next },
      };
    }
    case 'quota_exceeded':
    case 'file_count_exceeded':
    case 'history_exceeded': {
      const file = await deps.service.store.reader.files.find(access.workspace.id, path);
      if (file === null || file.version === input.baseVersion) return quotaResponse(outcome);
      const stale = `${path} is at version ${file.version}, and a copy of your content does not fit either: read it again. `;
      return quotaResponse(outcome, stale);
    }
    // No tool requests these two outcomes.
    case 'refused':
    case 'precondition_required':
      throw new WorkspaceError('precondition_required');
  }
}
