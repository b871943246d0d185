// docs/decisions/0021-front-matter-by-content.md
import { frontMatterBlock, frontMatterMaxBytes, WorkspaceError } from '@stoa/core';
import type { WorkerPool } from '../../concurrency/worker-pool.ts';
import type { FrontMatter, FrontMatterReading } from '../ports/front-matter.ts';

/** Parses front matter at the beginning of a content, without blocking other requests. */
export interface ContentFrontMatter {
  /**
   * @param beginning the first `frontMatterMaxBytes` of the content, or all of it.
   * @returns `unread` when the parser's queue is full: the content is parsed later.
   */
  read(workspaceId: string, beginning: Uint8Array): Promise<FrontMatterReading>;
}

/**
 * A block of up to this many characters takes the parser milliseconds, even a hostile one, and a worker would cost
 * more. A block of 64 KiB may take a second.
 */
const parsedHereMax = 1024;
const nothing: FrontMatterReading = { kind: 'read', frontMatter: null };

export function contentFrontMatterOf(
  pool: Pick<WorkerPool<string, FrontMatter | null>, 'ask'>,
): ContentFrontMatter {
  return {
    async read(workspaceId, beginning) {
      if (!opensWithFence(beginning)) return nothing;
      const head = beginning.subarray(0, frontMatterMaxBytes);
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(head);
      const borders = frontMatterBlock(text);
      if (borders === null) return nothing;
      const block = text.slice(borders.contentStart, borders.contentEnd);
      if (block.length <= parsedHereMax) {
        // Loaded on first use, so that the start does not wait for the library.
        const { parseFrontMatter } = await import('./parse-front-matter.ts');
        return { kind: 'read', frontMatter: parseFrontMatter(block) };
      }
      try {
        const outcome = await pool.ask(block, { keys: [workspaceId] });
        return outcome.kind === 'answered' ? { kind: 'read', frontMatter: outcome.result } : nothing;
      } catch (error) {
        if (error instanceof WorkspaceError && error.code === 'overloaded') return { kind: 'unread' };
        throw error;
      }
    },
  };
}

const byteOrderMark = [0xef, 0xbb, 0xbf];
const dash = 0x2d;
/** The number of bytes that `opensWithFence` needs. */
export const fenceBytes = byteOrderMark.length + 3;

/** Whether front matter may begin here: a quick check that skips most contents. */
export function opensWithFence(bytes: Uint8Array): boolean {
  const start = byteOrderMark.every((byte, at) => bytes[at] === byte) ? byteOrderMark.length : 0;
  return bytes[start] === dash && bytes[start + 1] === dash && bytes[start + 2] === dash;
}
