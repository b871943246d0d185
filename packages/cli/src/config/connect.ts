import { version } from '../output/about.ts';
import type { Host, Send } from '../output/host.ts';

/**
 * Sends requests with a user agent that names the program and the machine. The approval page of a link shows it to the
 * user.
 */
export function namedSend({ send, hostName, platform }: Pick<Host, 'send' | 'hostName' | 'platform'>): Send {
  const agent = `stoa/${version} (${visible(hostName)}; ${visible(platform)})`;
  return (address, request) =>
    send(address, { ...request, headers: { ...request.headers, 'User-Agent': agent } });
}

/**
 * A `fetch` for the relay. Its user agent has the version only, so that an agent's requests reveal nothing about the
 * machine.
 */
export function versionedFetch({ fetch }: Pick<Host, 'fetch'>): typeof globalThis.fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('User-Agent', `stoa/${version}`);
    return fetch(input, { ...init, headers });
  };
}

/** Restricts a machine's name, which may be any text, to the characters allowed in the header. */
function visible(text: string): string {
  return text.replaceAll(/[^\x20-\x27\x2a-\x3a\x3c-\x7e]/g, '?').slice(0, 64);
}
