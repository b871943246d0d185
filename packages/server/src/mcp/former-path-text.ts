import type { WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../service/access.ts';
import { type FormerPath, findFormerPath } from '../service/files/find-former-path.ts';
import { actorNames } from '../service/people/actor-names.ts';
import type { McpDeps } from './mcp-deps.ts';
import type { DataResponse } from './tool.ts';

/** A description of what happened to the file that was last at a path. */
export interface FormerPathText {
  readonly former: FormerPath;
  /** The predicate after the path: "was moved to b.md by Codex at 2026-11-20 23:17 UTC". */
  readonly what: string;
  /** Advice for the next step. */
  readonly next: string;
}

/**
 * @param restores whether the caller may restore a file now; otherwise the text does not suggest it
 * @returns null if no file left the path that the caller may know of
 */
export async function formerPathText(
  deps: McpDeps,
  { workspace, viewer }: WorkspaceAccess,
  path: WorkspacePath,
  restores: boolean,
): Promise<FormerPathText | null> {
  const { reader } = deps.service.store;
  const former = await findFormerPath(reader, { workspaceId: workspace.id, path, viewer });
  if (former === null) return null;
  const { kind, version } = former;
  const by = `by ${await actorNames(deps.service.store.reader.users)(former.by)} at ${minuteOf(former.at)} UTC`;
  if (kind === 'moved')
    return { former, what: `was moved to ${former.path} ${by}`, next: `Use ${former.path}.` };
  const isElsewhere = former.path !== path;
  const of = isElsewhere ? ` of ${former.path}` : '';
  return {
    former,
    what: `${isElsewhere ? `was moved to ${former.path}, and there it ` : ''}was deleted ${by} (version ${version})`,
    next: restores
      ? `restore_file${of} with targetVersion ${version} brings it back.`
      : `read_file_version${of} with version ${version} reads it.`,
  };
}

/** A change of a file that was moved: it was not made, and it created no second file. */
export function movedResponse(
  nothing: string,
  path: WorkspacePath,
  { former, what }: FormerPathText,
): DataResponse {
  const next = `Read ${former.path}, and make the change there.`;
  return {
    text: `${nothing}: ${path} ${what}. ${next}`,
    data: { ok: false, error: 'moved', movedTo: former.path, next },
  };
}

/** In UTC. */
function minuteOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}
