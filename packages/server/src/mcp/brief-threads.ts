import type { ListedThread } from '../service/comments/list-threads.ts';
import { readWholeIfKept } from '../service/contents/read-whole.ts';
import { actorNames } from '../service/people/actor-names.ts';
import type { McpDeps } from './mcp-deps.ts';

const quoteMaxCharacters = 80;
const bodyMaxCharacters = 1500;

/**
 * Formats threads briefly for an agent: grouped by file, with each thread's current line and its entries; users by
 * name and keys by label. Each thread is one block of lines. Its status is included only if the thread is resolved
 * or not anchored.
 */
export async function briefThreads(
  deps: McpDeps,
  workspaceId: string,
  threads: readonly ListedThread[],
): Promise<readonly string[]> {
  const nameOf = actorNames(deps.service.store.reader.users);
  const lineOf = lineFinder(deps, workspaceId);
  const blocks: string[] = [];
  let path: string | null = null;
  for (const listed of threads) {
    const { thread, resolved, texts } = listed;
    const heading = thread.path === path ? [] : [thread.path];
    path = thread.path;
    const line = resolved.range === null ? null : await lineOf(listed, resolved.range.start);
    const quote = resolved.currentText ?? (thread.anchor.kind === 'range' ? thread.anchor.quote : '');
    const marks = [
      ...(resolved.status === 'anchored' ? [] : [resolved.status]),
      ...(thread.resolution === null ? [] : ['resolved']),
      ...(line === null ? [] : [`line ${line}`]),
      ...(quote === '' ? [] : [`"${oneLine(quote, quoteMaxCharacters)}"`]),
    ];
    const said = [
      `  ${await nameOf(thread)}: ${indented(texts.body)}`,
      ...(await Promise.all(
        texts.entries.map(async (entry) => `  ${await nameOf(entry)}: ${indented(entry.body)}`),
      )),
    ];
    const left = texts.entryCount - texts.entries.length;
    const more = left > 0 ? [`  ${left} more replies: threadId and entriesOffset`] : [];
    blocks.push([...heading, `${[thread.id, ...marks].join(' ')}`, ...said, ...more].join('\n'));
  }
  return blocks;
}

/** Finds the line of a byte offset. Threads are grouped by file, so only one file is cached. */
function lineFinder({ service }: McpDeps, workspaceId: string) {
  let held: { readonly hash: string; readonly bytes: Uint8Array | null } | null = null;
  return async ({ thread }: ListedThread, at: number): Promise<number | null> => {
    const { file } = thread;
    if (file === null) return null;
    if (held?.hash !== file.contentHash) {
      held = { hash: file.contentHash, bytes: await readWholeIfKept(service, { ...file, workspaceId }) };
    }
    if (held.bytes === null) return null;
    let line = 1;
    for (let end = held.bytes.indexOf(0x0a); end !== -1 && end < at; end = held.bytes.indexOf(0x0a, end + 1))
      line += 1;
    return line;
  };
}

function oneLine(text: string, most: number): string {
  return shortened(text.replace(/\s+/g, ' ').trim(), most);
}

function indented(text: string): string {
  const short = shortened(text, bodyMaxCharacters);
  const cut = short === text ? '' : ` (${text.length} characters: threadId, without brief)`;
  return `${short.replaceAll('\n', '\n    ')}${cut}`;
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}
