import { WorkspaceError } from '@stoa/core';
import type { WorkerPool } from '../../../../concurrency/worker-pool.ts';
import type { MarkdownText } from './render-markdown.ts';

export interface MarkdownRenderer {
  /** As `renderMarkdown`; null when it takes too long, or when too many are waiting. */
  render(text: MarkdownText): Promise<string | null>;
}

/** A parser takes long over hostile text, and must hold up nobody else's request: it runs in a worker. */
export function markdownRendererOf(pool: Pick<WorkerPool<MarkdownText, string>, 'ask'>): MarkdownRenderer {
  return {
    async render(text) {
      try {
        const outcome = await pool.ask(text);
        return outcome.kind === 'answered' ? outcome.answer : null;
      } catch (error) {
        if (error instanceof WorkspaceError && error.code === 'overloaded') return null;
        throw error;
      }
    },
  };
}
