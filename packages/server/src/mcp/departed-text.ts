import type { WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../service/access.ts';
import { type Departed, findDeparted } from '../service/files/find-departed.ts';
import { actorNames } from './actor-names.ts';
import type { McpDeps } from './mcp-deps.ts';
import type { DataAnswer } from './tool.ts';

/** A description of what happened to the file that was last at a path. */
export interface DepartedText {
  readonly departed: Departed;
  /** The predicate after the path: "was moved to b.md by Codex at 2026-11-20 23:17 UTC". */
  readonly what: string;
  /** Advice for the next step. */
  readonly next: string;
}

/**
 * @param restores whether the caller may restore a file now; otherwise the text does not suggest it
 * @returns null if no file left the path that the caller may know of
 */
export async function departedText(
  deps: McpDeps,
  { workspace, viewer }: WorkspaceAccess,
  path: WorkspacePath,
  restores: boolean,
): Promise<DepartedText | null> {
  const { reader } = deps.service.store;
  const departed = await findDeparted(reader, { workspaceId: workspace.id, path, viewer });
  if (departed === null) return null;
  const { kind, version } = departed;
  const by = `by ${await actorNames(deps)(departed.by)} at ${minuteOf(departed.at)} UTC`;
  if (kind === 'moved')
    return { departed, what: `was moved to ${departed.path} ${by}`, next: `Use ${departed.path}.` };
  const isElsewhere = departed.path !== path;
  const of = isElsewhere ? ` of ${departed.path}` : '';
  return {
    departed,
    what: `${isElsewhere ? `was moved to ${departed.path}, and there it ` : ''}was deleted ${by} (version ${version})`,
    next: restores
      ? `restore_file${of} with targetVersion ${version} brings it back.`
      : `read_file_version${of} with version ${version} reads it.`,
  };
}

/** A change of a file that was moved: it was not made, and it created no second file. */
export function movedAnswer(
  nothing: string,
  path: WorkspacePath,
  { departed, what }: DepartedText,
): DataAnswer {
  const next = `Read ${departed.path}, and make the change there.`;
  return {
    text: `${nothing}: ${path} ${what}. ${next}`,
    data: { ok: false, error: 'moved', movedTo: departed.path, next },
  };
}

/** In UTC. */
function minuteOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}
