/** The position of a Markdown file among the files shared with it. */
export interface MarkdownNeighbours {
  /** The file's own path, relative to the shared folder. */
  readonly below: string;
  /** Addresses of the shared folder; a neighbour's path is appended to their path. */
  readonly pageBase: string;
  readonly contentBase: string;
}

/**
 * Returns the address of the neighbour that a relative link names; null for any other link and for one out of the
 * shared folder.
 */
export function resolveNeighbour(
  link: string,
  neighbours: MarkdownNeighbours | null,
  as: 'page' | 'content',
): string | null {
  if (neighbours === null) return null;
  const [path = ''] = link.split(/[?#]/, 1);
  if (path === '' || /^(?:[a-z][a-z0-9+.-]*:|[\\/])/i.test(path)) return null;
  const segments = neighbours.below.split('/').slice(0, -1);
  for (const raw of path.split('/')) {
    const segment = decoded(raw);
    if (segment === null || /[\\/]/.test(segment)) return null;
    if (segment === '..') {
      if (segments.pop() === undefined) return null;
    } else if (segment !== '.' && segment !== '') {
      segments.push(segment);
    }
  }
  if (segments.length === 0) return null;
  const base = as === 'page' ? neighbours.pageBase : neighbours.contentBase;
  return neighbourAddress(base, segments.map(encodeURIComponent).join('/'));
}

/** Returns the address of an encoded path below the shared folder, given the folder's address. */
export function neighbourAddress(base: string, path: string): string {
  const [start = '', query] = base.split('?');
  const folder = start.endsWith('/') ? start : `${start}/`;
  return `${folder}${path}${query === undefined ? '' : `?${query}`}`;
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
