import { extendedTools, type ToolInput, tools } from '@stoa/contract';
import { parseWorkspacePath, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../../service/access.ts';
import { type RestoreOutcome, restoreFile } from '../../service/files/restore-file.ts';
import { actorNames } from '../../service/people/actor-names.ts';
import { findVersion } from '../find-version.ts';
import { formerPathText } from '../former-path-text.ts';
import type { McpDeps } from '../mcp-deps.ts';
import { quotaResponse } from '../quota-result.ts';
import { type DataResponse, workspaceTool } from '../tool.ts';

interface RestoreCall {
  readonly deps: McpDeps;
  readonly access: WorkspaceAccess;
  readonly input: ToolInput<typeof tools.restoreFile>;
}

export const restoreFileTool = workspaceTool(tools.restoreFile, restore);
export const restoreFileAtBaseTool = workspaceTool(extendedTools.restoreFile, restore);

async function restore({ deps, access, input }: RestoreCall): Promise<DataResponse> {
  const path = parseWorkspacePath(input.path);
  const { targetVersion, baseVersion = null } = input;
  const named = { path, version: targetVersion, movedFrom: pathOrNull(input.movedFrom) };
  const { target, movedFrom } = await findVersion(deps, access, named);
  const wasAway = await formerPathText(deps, access, path, true);
  const outcome = await restoreFile(deps.service, access, target, baseVersion);
  switch (outcome.kind) {
    case 'restored': {
      const { version, covered } = outcome;
      const of = movedFrom === null ? '' : ` of ${movedFrom}`;
      const next =
        covered !== null
          ? await coveredText(deps, access, path, outcome)
          : wasAway?.former.kind === 'moved'
            ? `The file that was here ${wasAway.what}: this is a second one.`
            : null;
      return {
        text: [
          `Restored ${path} from version ${targetVersion}${of}; it is at version ${version} now.`,
          ...(next === null ? [] : [next]),
        ].join(' '),
        data: { status: 'ok', version, restoredFrom: targetVersion, ...(next === null ? {} : { next }) },
      };
    }
    case 'conflict': {
      const { currentVersion } = outcome;
      const next =
        currentVersion === null
          ? 'Leave baseVersion out to bring it back.'
          : `Read it again; if it should still be restored, give baseVersion ${currentVersion}.`;
      const is = currentVersion === null ? 'is not there' : `is at version ${currentVersion}`;
      return {
        text: `Nothing was restored (version_conflict): ${path} ${is}, not at version ${baseVersion}. ${next}`,
        data: { ok: false, error: 'version_conflict', currentVersion, next },
      };
    }
    case 'quota_exceeded':
    case 'file_count_exceeded':
    case 'history_exceeded':
      return quotaResponse(outcome);
  }
}

function pathOrNull(path: string | undefined): WorkspacePath | null {
  return path === undefined ? null : parseWorkspacePath(path);
}

/** Maximum number of later versions whose authors are named. */
const coveredMax = 100;

/** Names the authors of later versions that a restore covers; null if there are no such versions. */
async function coveredText(
  deps: McpDeps,
  { workspace }: WorkspaceAccess,
  path: WorkspacePath,
  { version, covered }: Extract<RestoreOutcome, { readonly kind: 'restored' }>,
): Promise<string | null> {
  if (covered === null || covered.above >= version - 1) return null;
  const { incarnation, above } = covered;
  const asked = { workspaceId: workspace.id, incarnation, path, belowVersion: version, limit: coveredMax };
  const rows = (await deps.service.store.reader.files.versionsOf(asked)).filter((row) => row.version > above);
  const nameOf = actorNames(deps.service.store.reader.users);
  const names = new Set<string>();
  for (const row of rows) names.add(await nameOf(row));
  const isOne = above + 2 === version;
  const which = isOne ? `Version ${above + 1}` : `Versions ${above + 1} to ${version - 1}`;
  return `${which} by ${[...names].join(', ')} ${isOne ? 'is' : 'are'} covered by it, and can still be read.`;
}
