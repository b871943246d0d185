/** Makes the addresses within a page: relative, and with the ticket of the opening that the page was part of. */
export interface ShareLinks {
  /** The bytes of what lies at `below`; empty for the shared item itself. */
  content(below: string): string;
  /** The same as an attachment. */
  download(below: string): string;
  /** The bytes, from the origin that is set apart for content when there is one. */
  framed(below: string): string;
  page(below: string): string;
}

export function shareLinks(facts: {
  readonly base: string;
  readonly ticket: string;
  /** The address of what is below `/s/<token>/` on the other origin; null without one. */
  readonly contentBase: string | null;
}): ShareLinks {
  const { base, ticket, contentBase } = facts;
  const query = `?v=${encodeURIComponent(ticket)}`;
  const content = (below: string) => `content${below === '' ? '' : `/${encodeBelow(below)}`}${query}`;
  return {
    content: (below) => base + content(below),
    download: (below) => `${base}${content(below)}&download=1`,
    framed: (below) => (contentBase ?? base) + content(below),
    page: (below) => `${base}view/${encodeBelow(below)}${query}`,
  };
}

function encodeBelow(below: string): string {
  return below.split('/').map(encodeURIComponent).join('/');
}
