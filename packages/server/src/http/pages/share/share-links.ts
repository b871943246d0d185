/** Makes the relative addresses within a page. */
export interface ShareLinks {
  /** The bytes of the item at `below`; empty for the shared item itself. */
  content(below: string): string;
  /** The same bytes as an attachment. */
  download(below: string): string;
  /** The bytes of the page's own file, from the separate content origin if there is one. */
  framed(below: string): string;
  /** Shown in the address bar and copied from there, so it contains only the path. */
  page(below: string): string;
}

/** An origin without the visitor's cookies. */
export interface ContentOrigin {
  /** Address that corresponds to `/s/<token>/` there. */
  readonly base: string;
  /** Opens the page's own file there; null if the file is public. */
  readonly pass: string | null;
}

/** @param viewed proof that the view of this page was counted; it grants no access */
export function shareLinks(facts: {
  readonly base: string;
  readonly viewed: string;
  readonly contentOrigin: ContentOrigin | null;
}): ShareLinks {
  const { base, viewed, contentOrigin } = facts;
  const content = (below: string) =>
    `content${below === '' ? '' : `/${encodeSegments(below)}`}?v=${encodeURIComponent(viewed)}`;
  return {
    content: (below) => base + content(below),
    download: (below) => `${base}${content(below)}&download=1`,
    framed(below) {
      if (contentOrigin === null) return base + content(below);
      const { pass } = contentOrigin;
      return `${contentOrigin.base}${content(below)}${pass === null ? '' : `&pass=${encodeURIComponent(pass)}`}`;
    },
    page: (below) => `${base}view/${encodeSegments(below)}`,
  };
}

export function encodeSegments(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
