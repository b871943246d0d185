/** Makes the addresses within a page, relative to it. */
export interface ShareLinks {
  /** The bytes of what lies at `below`; empty for the shared item itself. */
  content(below: string): string;
  /** The same as an attachment. */
  download(below: string): string;
  /** The bytes of the page's own file, from the origin that is set apart for content when there is one. */
  framed(below: string): string;
  /** Stands in the address bar, and is copied from there: it holds nothing but the place. */
  page(below: string): string;
}

/** Where the visitor's cookies do not reach. */
export interface ContentOrigin {
  /** The address of what is below `/s/<token>/` there. */
  readonly base: string;
  /** What opens the page's own file there; null where anybody may open it. */
  readonly pass: string | null;
}

/** @param viewed says that this page was counted as a view; it opens nothing. */
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
