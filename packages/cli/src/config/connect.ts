import { version } from '../output/about.ts';
import type { Host, Send } from '../output/host.ts';

type Named = Pick<Host, 'hostName' | 'platform'>;

/** Sends, and says which program asks. On the page that approves a link the person sees it with the machine's name. */
export function namedSend({ send, hostName, platform }: Named & Pick<Host, 'send'>): Send {
  const agent = agentOf({ hostName, platform });
  return (address, request) =>
    send(address, { ...request, headers: { ...request.headers, 'User-Agent': agent } });
}

/** The same of a `fetch`. */
export function namedFetch({
  fetch,
  hostName,
  platform,
}: Named & Pick<Host, 'fetch'>): typeof globalThis.fetch {
  const agent = agentOf({ hostName, platform });
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('User-Agent', agent);
    return fetch(input, { ...init, headers });
  };
}

function agentOf({ hostName, platform }: Named): string {
  return `stoa/${version} (${visible(hostName)}; ${visible(platform)})`;
}

/** A header holds no more than this, and a name of a machine may hold anything. */
function visible(text: string): string {
  return text.replaceAll(/[^\x20-\x27\x2a-\x3a\x3c-\x7e]/g, '?').slice(0, 64);
}
