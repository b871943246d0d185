// docs/decisions/0010-fastify-and-raw-paths.md

/** `/api/workspaces/<id>/files/`; the rest of the raw target is a path within the workspace. */
const filesTarget = /^(\/api\/workspaces\/[^/?#]+\/files\/)([^?]*)(\?.*)?$/s;
/** `/s/<token>` and the rest. */
const shareTarget = /^\/s\/([^/?#]+)(\/[^?]*)?(\?.*)?$/s;
const sharePath = /^\/(content|view)\/(.*)$/s;
/** Folders of the web app, and `/invite/<token>`. */
const appTarget = /^(\/(?:w|account|assets)\/)([^?]*)(\?.*)?$/s;
const inviteTarget = /^(\/invite\/)[^/?]+(\?.*)?$/s;
const authority = /^https?:\/\/[^/?#]*/i;

/** Replaces the path while the request is routed. Any text works that a router does not change. */
export const pathPlaceholder = '-';

/**
 * Returns the target for the router, without a file's path. A router decodes and may normalise, and `a/../b` must be
 * rejected rather than become `b`. Paths of the web app are replaced for the same reason; the app reads them itself.
 */
export function routableTarget(rawTarget: string): string {
  const target = originForm(rawTarget);
  const share = shareTarget.exec(target);
  if (share !== null) return routableShareTarget(share[2] ?? '', share[3] ?? '');
  const files = filesTarget.exec(target) ?? appTarget.exec(target);
  if (files !== null) return `${files[1]}${pathPlaceholder}${files[3] ?? ''}`;
  const invite = inviteTarget.exec(target);
  return invite === null ? target : `${invite[1]}${pathPlaceholder}${invite[2] ?? ''}`;
}

/** Splits the raw target of a share link: `rest` follows the token, `below` follows `view/` or `content/`. */
export function rawShareTarget(rawTarget: string): {
  readonly token: string;
  readonly rest: string;
  readonly below: string;
} {
  const [, token = '', rest = ''] = shareTarget.exec(originForm(rawTarget)) ?? [];
  return { token, rest, below: sharePath.exec(rest)?.[2] ?? '' };
}

/** Hides token and path from the router, so that every link that does not open gets the same response. */
function routableShareTarget(rest: string, query: string): string {
  const path = sharePath.exec(rest);
  const routable = path === null ? rest : `/${path[1]}/${pathPlaceholder}`;
  return `/s/${pathPlaceholder}${routable}${query}`;
}

/** The file's path in the raw target, still percent-encoded; empty without one. */
export function rawFilePath(rawTarget: string): string {
  return filesTarget.exec(originForm(rawTarget))?.[2] ?? '';
}

/** The part after `/assets/` in the raw target. Names of assets need no encoding. */
export function assetName(rawTarget: string): string {
  return appTarget.exec(originForm(rawTarget))?.[2] ?? '';
}

/** A client of a proxy may send the whole address, which a server must accept. */
export function originForm(rawTarget: string): string {
  if (rawTarget.startsWith('/')) return rawTarget;
  const target = rawTarget.replace(authority, '');
  return target.startsWith('/') ? target : `/${target}`;
}
