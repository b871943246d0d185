// docs/decisions/0015-fastify.md

/** `/api/workspaces/<id>/files/`: what follows in the raw target is a path within the workspace. */
const filesTarget = /^(\/api\/workspaces\/[^/?#]+\/files\/)([^?]*)(\?.*)?$/s;
/** `/s/<token>` and what follows it. */
const shareTarget = /^\/s\/([^/?#]+)(\/[^?]*)?(\?.*)?$/s;
const sharePath = /^\/(content|view)\/(.*)$/s;
/** Folders of the web app, and `/invite/<token>`. */
const appTarget = /^(\/(?:w|account|assets)\/)([^?]*)(\?.*)?$/s;
const inviteTarget = /^(\/invite\/)[^/?]+(\?.*)?$/s;
const authority = /^https?:\/\/[^/?#]*/i;

/** Stands for the path while the request is routed. Any text would do that a router leaves alone. */
export const pathPlaceholder = '-';

/**
 * The target that the router sees. A file's path is kept from it: a router decodes and may normalise, and `a/../b` has to
 * be refused rather than become `b`. So is what follows in addresses of the web app, which reads them itself.
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

/** What stands in the raw target of a share link: `rest` from behind the token on, `below` from behind `view/` or `content/`. */
export function rawShareTarget(rawTarget: string): {
  readonly token: string;
  readonly rest: string;
  readonly below: string;
} {
  const [, token = '', rest = ''] = shareTarget.exec(originForm(rawTarget)) ?? [];
  return { token, rest, below: sharePath.exec(rest)?.[2] ?? '' };
}

/** Token and path are kept from the router: whatever they are made of, a link that does not open is answered alike. */
function routableShareTarget(rest: string, query: string): string {
  const path = sharePath.exec(rest);
  const routable = path === null ? rest : `/${path[1]}/${pathPlaceholder}`;
  return `/s/${pathPlaceholder}${routable}${query}`;
}

/** The file's path as it stands in the raw target, still percent-encoded; empty when there is none. */
export function rawFilePath(rawTarget: string): string {
  return filesTarget.exec(originForm(rawTarget))?.[2] ?? '';
}

/** What follows `/assets/` in the raw target: names of assets need no encoding. */
export function assetName(rawTarget: string): string {
  return appTarget.exec(originForm(rawTarget))?.[2] ?? '';
}

/** A client of a proxy may send the whole address, which a server has to understand too. */
export function originForm(rawTarget: string): string {
  if (rawTarget.startsWith('/')) return rawTarget;
  const target = rawTarget.replace(authority, '');
  return target.startsWith('/') ? target : `/${target}`;
}
