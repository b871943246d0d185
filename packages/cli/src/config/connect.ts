import { version } from '../output/about.ts';
import type { Host, Send } from '../output/host.ts';

/** Sends, and says which program asks. On the page that approves a link the person sees it with the machine's name. */
export function namedSend({ send, hostName, platform }: Pick<Host, 'send' | 'hostName' | 'platform'>): Send {
  const agent = `stoa/${version} (${visible(hostName)}; ${visible(platform)})`;
  return (address, request) =>
    send(address, { ...request, headers: { ...request.headers, 'User-Agent': agent } });
}

/** The relay's `fetch` says the version alone: nothing of the machine goes along with what an agent sends. */
export function versionedFetch({ fetch }: Pick<Host, 'fetch'>): typeof globalThis.fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('User-Agent', `stoa/${version}`);
    return fetch(input, { ...init, headers });
  };
}

/** A header holds no more than this, and a name of a machine may hold anything. */
function visible(text: string): string {
  return text.replaceAll(/[^\x20-\x27\x2a-\x3a\x3c-\x7e]/g, '?').slice(0, 64);
}
