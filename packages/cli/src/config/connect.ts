import { version } from '../output/about.ts';
import type { Host } from '../output/host.ts';

/** A `fetch` that says which program asks. On the page that approves a link the person sees it with the machine's name. */
export function namedFetch({
  fetch,
  hostName,
  platform,
}: Pick<Host, 'fetch' | 'hostName' | 'platform'>): typeof globalThis.fetch {
  const agent = `stoa/${version} (${visible(hostName)}; ${visible(platform)})`;
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('User-Agent', agent);
    return fetch(input, { ...init, headers });
  };
}

/** A header holds no more than this, and a name of a machine may hold anything. */
function visible(text: string): string {
  return text.replaceAll(/[^\x20-\x27\x2a-\x3a\x3c-\x7e]/g, '?').slice(0, 64);
}
