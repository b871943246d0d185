// docs/decisions/0042-front-matter-by-content.md
import { frontMatterBlock, frontMatterMaxBytes, WorkspaceError } from '@stoa/core';
import type { WorkerPool } from '../../concurrency/worker-pool.ts';
import type { FrontMatter, FrontMatterReading } from '../ports/front-matter.ts';

/** Reads front matter at the beginning of a content, without holding up anybody else's request. */
export interface ContentFrontMatter {
  /**
   * @param beginning the first `frontMatterMaxBytes` of the content, or all of it.
   * @returns `unread` when too many wait for a parser: the content is read later.
   */
  read(workspaceId: string, beginning: Uint8Array): Promise<FrontMatterReading>;
}

/**
 * A block of so many characters takes the parser milliseconds, also where it is hostile, and asking another thread would
 * cost more. One of 64 KiB may take it a second.
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
        // Loaded when somebody has front matter: no start waits for the library.
        const { parseFrontMatter } = await import('./parse-front-matter.ts');
        return { kind: 'read', frontMatter: parseFrontMatter(block) };
      }
      try {
        const outcome = await pool.ask(block, { keys: [workspaceId] });
        return outcome.kind === 'answered' ? { kind: 'read', frontMatter: outcome.answer } : nothing;
      } catch (error) {
        if (error instanceof WorkspaceError && error.code === 'overloaded') return { kind: 'unread' };
        throw error;
      }
    },
  };
}

const byteOrderMark = [0xef, 0xbb, 0xbf];
const dash = 0x2d;
/** As many bytes as `opensWithFence` looks at. */
export const fenceBytes = byteOrderMark.length + 3;

/** Whether front matter may begin here: most contents are done with at once. */
export function opensWithFence(bytes: Uint8Array): boolean {
  const start = byteOrderMark.every((byte, at) => bytes[at] === byte) ? byteOrderMark.length : 0;
  return bytes[start] === dash && bytes[start + 1] === dash && bytes[start + 2] === dash;
}
