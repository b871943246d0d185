// docs/decisions/0021-front-matter-by-content.md
import { setImmediate as others } from 'node:timers/promises';
import { type ContentHash, frontMatterMaxBytes } from '@stoa/core';
import { openContent } from '../contents/open-content.ts';
import { collectBytes, ifKept } from '../contents/read-whole.ts';
import { fenceBytes, opensWithFence } from '../front-matter/front-matter-reader.ts';
import type { FrontMatter, UnreadContent } from '../ports/front-matter.ts';
import { defineScript } from '../ports/script.ts';
import type { ServiceDeps } from '../service-deps.ts';

const contentsPerPage = 50;
const pagesMax = 200;

export interface UnreadReport {
  readonly contents: number;
  readonly withFrontMatter: number;
  /** Contents whose bytes are missing. */
  readonly missing: number;
  /** Whether another run is needed. */
  readonly more: boolean;
}

interface KeepFrontMatterCommand {
  readonly workspaceId: string;
  readonly contents: readonly {
    readonly contentHash: ContentHash;
    readonly frontMatter: FrontMatter | null;
  }[];
}

export const keepFrontMatterScript = defineScript<KeepFrontMatterCommand, null>(
  'front-matter.keep',
  async (tx, { workspaceId, contents }) => {
    // The lock serialises this with writes of the workspace, which store front matter of the same contents.
    await tx.write.lockWorkspace(workspaceId);
    for (const { contentHash, frontMatter } of contents) {
      if (frontMatter !== null) await tx.write.keepFrontMatter(workspaceId, contentHash, frontMatter);
      await tx.write.noteRead(workspaceId, contentHash);
    }
    return null;
  },
);

/**
 * Parses the front matter of contents that were stored without it: by an earlier version, or while the parser's queue
 * was full. One content at a time and a bounded number in a run. It can be stopped at any time and run again. Several
 * nodes may run it at once and find the same.
 */
export async function readUnreadFrontMatter(
  deps: Pick<ServiceDeps, 'store' | 'blobs' | 'frontMatter'>,
  signal?: AbortSignal,
): Promise<UnreadReport> {
  const report = { contents: 0, withFrontMatter: 0, missing: 0 };
  let last: UnreadContent | null = null;
  for (let page = 0; page < pagesMax; page += 1) {
    const unread: readonly UnreadContent[] = await deps.store.reader.frontMatter.unread(
      last,
      contentsPerPage,
    );
    for (const [workspaceId, ofOne] of Map.groupBy(unread, (content) => content.workspaceId)) {
      const contents: KeepFrontMatterCommand['contents'][number][] = [];
      for (const content of ofOne) {
        if (signal?.aborted === true) return { ...report, more: true };
        await others();
        const beginning = await readBeginning(deps, content);
        if (beginning === null) report.missing += 1;
        const read = await deps.frontMatter.read(workspaceId, beginning ?? new Uint8Array());
        if (read.kind === 'unread') continue;
        contents.push({ contentHash: content.contentHash, frontMatter: read.frontMatter });
        if (read.frontMatter !== null) report.withFrontMatter += 1;
      }
      await deps.store.transact(keepFrontMatterScript, { workspaceId, contents });
      report.contents += contents.length;
    }
    if (unread.length < contentsPerPage) return { ...report, more: false };
    last = unread.at(-1) ?? null;
  }
  return { ...report, more: true };
}

/** Reads only a few bytes of a large content unless it can begin with front matter. */
async function readBeginning(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  content: UnreadContent,
): Promise<Uint8Array | null> {
  const firstBytes = async (count: number) => {
    const end = Math.min(count, content.sizeBytes);
    return collectBytes(await openContent(deps, content, { start: 0, end }), end);
  };
  if (content.sizeBytes === 0) return new Uint8Array();
  return ifKept(async () => {
    const first = await firstBytes(fenceBytes);
    return opensWithFence(first) ? await firstBytes(frontMatterMaxBytes) : first;
  });
}
