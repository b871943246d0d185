import { randomUUID } from 'node:crypto';
import { type ContentHash, WorkspaceError } from '@stoa/core';
import { LRUCache } from 'lru-cache';
import type { WorkerPool } from '../../../../concurrency/worker-pool.ts';
import { escapeHtml } from '../../shell/escape-html.ts';
import type { MarkdownText } from './render-markdown.ts';
import { type MarkdownNeighbours, neighbourAddress } from './resolve-neighbour.ts';

/** The text of a file behind a share link. */
export interface SharedMarkdown {
  /** The user who made the link. */
  readonly makerId: string;
  readonly workspaceId: string;
  readonly shareId: string;
  readonly contentHash: ContentHash;
  readonly text: string;
  /** The files shared with it; null if it is shared alone and may link only to the web. */
  readonly neighbours: MarkdownNeighbours | null;
}

export interface MarkdownRenderer {
  /** Renders as `renderMarkdown`; null also if it takes too long or too many renderings wait. */
  render(shared: SharedMarkdown): Promise<string | null>;
}

/** The rendering of one content, for all visitors. */
type Rendered = { readonly kind: 'html'; readonly html: string } | { readonly kind: 'exhausted' };

const keptCharactersMax = 16 * 1024 * 1024;
/** A short text can produce much markup. Larger output is shown as plain text. */
const htmlCharactersMax = 2 * 1024 * 1024;
/** A rendering that took too long is tried again later, because the machine may have been busy. */
const exhaustedForMs = 10 * 60 * 1000;

/**
 * Placeholders for the addresses of a link, which differ for each view. They are random and secret, so no text
 * contains them.
 */
const placeholders = { page: `page-${randomUUID()}`, content: `content-${randomUUID()}` };
const placeheld = new RegExp(`(${placeholders.page}|${placeholders.content})/([^"?]*)`, 'g');

/**
 * Renders in a worker, because a hostile text can take long to parse. Each content is rendered once and cached;
 * concurrent requests share one rendering. The queue is fair among the makers of links, who may own any number of
 * workspaces, then among workspaces, and among the links of one workspace.
 */
export function markdownRendererOf(
  pool: Pick<WorkerPool<MarkdownText, string | null>, 'ask'>,
  clock: () => number = () => performance.now(),
): MarkdownRenderer {
  const kept = new LRUCache<string, Rendered>({
    maxSize: keptCharactersMax,
    sizeCalculation: (rendered, key) => key.length + (rendered.kind === 'html' ? rendered.html.length : 0),
    perf: { now: clock },
    ttlResolution: 0,
  });
  const underWay = new Map<string, Promise<Rendered>>();

  async function rerender(key: string, shared: SharedMarkdown): Promise<Rendered> {
    const below = shared.neighbours?.below ?? null;
    const neighbours =
      below === null ? null : { below, pageBase: placeholders.page, contentBase: placeholders.content };
    const keys = [shared.makerId, shared.workspaceId, shared.shareId];
    const outcome = await pool.ask({ text: shared.text, neighbours }, { keys });
    const html = outcome.kind === 'answered' ? outcome.result : null;
    if (html !== null && html.length <= htmlCharactersMax) {
      const rendered = { kind: 'html', html } as const;
      kept.set(key, rendered);
      return rendered;
    }
    const exhausted = { kind: 'exhausted' } as const;
    kept.set(key, exhausted, { ttl: exhaustedForMs });
    return exhausted;
  }

  async function find(shared: SharedMarkdown): Promise<Rendered> {
    const key = `${shared.contentHash} ${shared.neighbours?.below ?? ''}`;
    const known = kept.get(key) ?? underWay.get(key);
    if (known !== undefined) return known;
    const rendering = rerender(key, shared);
    underWay.set(key, rendering);
    try {
      return await rendering;
    } finally {
      underWay.delete(key);
    }
  }

  return {
    async render(shared) {
      try {
        const rendered = await find(shared);
        return rendered.kind === 'html' ? withAddresses(rendered.html, shared.neighbours) : null;
      } catch (error) {
        if (error instanceof WorkspaceError && error.code === 'overloaded') return null;
        throw error;
      }
    },
  };
}

function withAddresses(html: string, neighbours: MarkdownNeighbours | null): string {
  if (neighbours === null) return html;
  return html.replace(placeheld, (_, placeholder: string, path: string) => {
    const base = placeholder === placeholders.page ? neighbours.pageBase : neighbours.contentBase;
    return escapeHtml(neighbourAddress(base, path));
  });
}
