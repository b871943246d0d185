import { randomUUID } from 'node:crypto';
import { type ContentHash, WorkspaceError } from '@stoa/core';
import { LRUCache } from 'lru-cache';
import type { WorkerPool } from '../../../../concurrency/worker-pool.ts';
import { escapeHtml } from '../../shell/escape-html.ts';
import type { MarkdownText } from './render-markdown.ts';
import { type MarkdownNeighbours, neighbourAddress } from './resolve-neighbour.ts';

/** A file's text as a share link shows it. */
export interface SharedMarkdown {
  readonly workspaceId: string;
  readonly shareId: string;
  readonly contentHash: ContentHash;
  readonly text: string;
  /** The files shared with it; null when it is shared alone, and leads nowhere but to the web. */
  readonly neighbours: MarkdownNeighbours | null;
}

export interface MarkdownRenderer {
  /** As `renderMarkdown`; null when it takes too long, or when too many are waiting. */
  render(shared: SharedMarkdown): Promise<string | null>;
}

/** The outcome of one content, for all viewers. */
type Rendered = { readonly kind: 'html'; readonly html: string } | { readonly kind: 'exhausted' };

const keptCharactersMax = 16 * 1024 * 1024;
/** Markup can make much of little text; what grows beyond this is shown as text, too. */
const htmlCharactersMax = 2 * 1024 * 1024;
/** A rendering that took too long may only have met a busy machine. */
const exhaustedForMs = 10 * 60 * 1000;

/** Stand for the addresses of a link, which differ from view to view. Nobody outside learns them, so no text holds them. */
const placeholders = { page: `page-${randomUUID()}`, content: `content-${randomUUID()}` };
const placeheld = new RegExp(`(${placeholders.page}|${placeholders.content})/([^"?]*)`, 'g');

/**
 * Renders in a worker, since a parser takes long over hostile text. Each content is rendered once: what came of it is
 * remembered, and whoever comes meanwhile waits for the same rendering. Workspaces take turns, and within one its links.
 */
export function markdownRendererOf(
  pool: Pick<WorkerPool<MarkdownText, string>, 'ask'>,
  clock: () => number = () => performance.now(),
): MarkdownRenderer {
  const kept = new LRUCache<string, Rendered>({
    maxSize: keptCharactersMax,
    sizeCalculation: (rendered, key) => key.length + (rendered.kind === 'html' ? rendered.html.length : 0),
    perf: { now: clock },
    ttlResolution: 0,
  });
  const underWay = new Map<string, Promise<Rendered>>();

  async function renderAnew(key: string, shared: SharedMarkdown): Promise<Rendered> {
    const below = shared.neighbours?.below ?? null;
    const neighbours =
      below === null ? null : { below, pageBase: placeholders.page, contentBase: placeholders.content };
    const keys = [shared.workspaceId, shared.shareId];
    const outcome = await pool.ask({ text: shared.text, neighbours }, { keys });
    if (outcome.kind === 'answered' && outcome.answer.length <= htmlCharactersMax) {
      const rendered = { kind: 'html', html: outcome.answer } as const;
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
    const rendering = renderAnew(key, shared);
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
