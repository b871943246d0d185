import { assertStatus } from './expect.ts';
import type { HttpClient } from './http-client.ts';
import { type HttpResponse, type JsonRecord, jsonOf, recordOf, textAt } from './response.ts';
import type { WorkspaceClient } from './workspace-client.ts';

/** A new link, and its address on this server. */
export interface MadeShare {
  readonly id: string;
  readonly record: JsonRecord;
  /** `/s/<token>` */
  readonly path: string;
}

/** Makes a link, by default a public one to a file. */
export async function share(
  workspace: WorkspaceClient,
  path: string,
  options: Readonly<Record<string, unknown>> = {},
): Promise<MadeShare> {
  const response = await workspace.post('shares', { path, kind: 'file', access: 'public', ...options });
  assertStatus(response, 201);
  const record = recordOf(jsonOf(response).share);
  return { id: textAt(record, 'id'), record, path: new URL(textAt(record, 'url')).pathname };
}

/** The addresses on a page, as they are on the server: `src` and `href`, unescaped. */
export function linksIn(page: HttpResponse, path: string): readonly string[] {
  const html = page.bytes.toString('utf8');
  return [...html.matchAll(/ (?:src|href)="([^"]*)"/g)].map(([, link = '']) => {
    const address = link.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    const { pathname, search } = new URL(address.replaceAll('&amp;', '&'), `http://server${path}`);
    return pathname + search;
  });
}

/** All parts of a response that could distinguish one link from another. */
export function seenOf({ status, headers, bytes }: HttpResponse): unknown {
  const others = [...headers].filter(([name]) => name !== 'date');
  return { status, headers: others.sort(), body: bytes.toString('utf8') };
}

export async function opens(client: HttpClient, link: MadeShare): Promise<number> {
  return (await client.send('GET', link.path)).status;
}
