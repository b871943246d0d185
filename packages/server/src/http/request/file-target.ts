/** `/api/workspaces/<id>/files/`: what follows in the raw target is a path within the workspace. */
const filesTarget = /^(\/api\/workspaces\/[^/?#]+\/files\/)([^?]*)(\?.*)?$/s;
const authority = /^https?:\/\/[^/?#]*/i;

/** Stands for the path while the request is routed. Any text would do that a router leaves alone. */
export const pathPlaceholder = '-';

/**
 * The target that the router sees. A file's path is kept from it: a router decodes and may normalise, and `a/../b` has to
 * be refused rather than become `b`.
 */
export function routableTarget(rawTarget: string): string {
  const target = originForm(rawTarget);
  const match = filesTarget.exec(target);
  return match === null ? target : `${match[1]}${pathPlaceholder}${match[3] ?? ''}`;
}

/** The file's path as it stands in the raw target, still percent-encoded; empty when there is none. */
export function rawFilePath(rawTarget: string): string {
  return filesTarget.exec(originForm(rawTarget))?.[2] ?? '';
}

/** A client of a proxy may send the whole address, which a server has to understand too. */
function originForm(rawTarget: string): string {
  if (rawTarget.startsWith('/')) return rawTarget;
  const target = rawTarget.replace(authority, '');
  return target.startsWith('/') ? target : `/${target}`;
}
