import { type PathPrefix, parsePathPrefix } from '@stoa/core';

/** Target of a link in a file. */
export type LinkTarget =
  /** A file or folder of the same workspace; empty for the top folder. */
  | { readonly kind: 'workspace'; readonly path: PathPrefix; readonly fragment: string | null }
  /** A heading of the same file. */
  | { readonly kind: 'fragment'; readonly fragment: string }
  | { readonly kind: 'elsewhere'; readonly href: string; readonly host: string }
  | { readonly kind: 'mail'; readonly href: string }
  /** Targets that the app does not open: scripts, data, unknown schemes, paths above the top folder. */
  | { readonly kind: 'nowhere' };

const scheme = /^[a-z][a-z0-9+.-]*:/i;

/**
 * Resolves `href` in the file at `path`: a relative path, a path from the top of the workspace (`/notes/plan.md`), a
 * heading (`#goals`), or an external address. Queries on workspace paths have no meaning and are dropped.
 */
export function resolveLink(path: string, href: string): LinkTarget {
  const text = href.trim();
  if (text === '') return { kind: 'nowhere' };
  if (text.startsWith('#')) return { kind: 'fragment', fragment: decoded(text.slice(1)) ?? '' };
  if (scheme.test(text) || text.startsWith('//')) return elsewhere(text);
  const [, raw = '', , fragment] = /^([^?#]*)(\?[^#]*)?(?:#(.*))?$/s.exec(text) ?? [];
  const part = decoded(raw);
  if (part === null) return { kind: 'nowhere' };
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const target = withoutDots(part.startsWith('/') ? part : `${folder}${part}`);
  if (target === null) return { kind: 'nowhere' };
  try {
    return {
      kind: 'workspace',
      path: parsePathPrefix(target),
      fragment: fragment === undefined || fragment === '' ? null : (decoded(fragment) ?? null),
    };
  } catch {
    // No file can have such a name.
    return { kind: 'nowhere' };
  }
}

function elsewhere(text: string): LinkTarget {
  // An address without a scheme is a web address.
  const url = URL.parse(text.startsWith('//') ? `https:${text}` : text);
  switch (url?.protocol) {
    case 'http:':
    case 'https:':
      return { kind: 'elsewhere', href: url.href, host: url.host };
    case 'mailto:':
      return { kind: 'mail', href: url.href };
    default:
      return { kind: 'nowhere' };
  }
}

/** Resolves `.` and `..`; null for a path above the top folder. */
function withoutDots(path: string): string | null {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept.pop() === undefined) return null;
  }
  return kept.join('/');
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
