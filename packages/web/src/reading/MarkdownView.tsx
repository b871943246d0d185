import { isText, plainTextOf, type ReadingNode } from '@stoa/markdown/tree';
import {
  cloneElement,
  Fragment,
  isValidElement,
  memo,
  type ReactNode,
  type Ref,
  useEffect,
  useMemo,
  useRef,
} from 'react';
import { fileContentAddress } from '../api/addresses.ts';
import { useListing } from '../api/use-listing.ts';
import { reading } from '../text/en/reading.ts';
import { type CommentedPassage, type DrawFacts, drawBlock, headingId } from './draw.tsx';
import type { FrontMatter } from './front-matter.ts';
import type { Parsed } from './use-parsed.ts';
import './reading.css';

export interface MarkdownViewProps {
  readonly workspaceId: string;
  readonly path: string;
  /** Accessible name of the article. */
  readonly name: string;
  readonly parsed: Parsed;
  readonly passages?: readonly CommentedPassage[];
  readonly activePassage?: string | null;
  readonly onPassage?: (id: string) => void;
  /** Toggles the task at a position of the source; or the reason why the text cannot be edited. */
  readonly onTick?: ((location: number, done: boolean) => Promise<void>) | string;
  readonly articleRef?: Ref<HTMLElement>;
  /** False inside another page: its headings would clash with those of that page. */
  readonly withOutline?: boolean;
  /**
   * Renders content next to a block, by its `data-block`; the front matter is -1. A new function renders everything
   * again.
   */
  readonly alongside?: ((block: number) => ReactNode) | null;
}

const noPassages: readonly CommentedPassage[] = [];
/** Blocks per chunk. The browser skips layout for chunks out of view. */
const blocksInChunk = 24;
/** Shows a table of contents from this number of headings on. */
const outlineFrom = 3;

/** A Markdown file in Read mode. */
export function MarkdownView({
  workspaceId,
  path,
  name,
  parsed,
  passages = noPassages,
  activePassage = null,
  onPassage,
  onTick = reading.taskNotHere,
  articleRef,
  withOutline = false,
  alongside = null,
}: MarkdownViewProps) {
  const listing = useListing(workspaceId);
  // Keeps a long text from rendering again when the list changes or the page creates new functions.
  const latest = useRef({ listing, onPassage, onTick });
  latest.current = { listing, onPassage, onTick };
  const notTickedBecause = typeof onTick === 'string' ? onTick : null;
  const facts = useMemo<DrawFacts>(
    () => ({
      workspaceId,
      path,
      isFolder: (candidate) => {
        const known = latest.current.listing;
        return known.kind === 'ready' && known.listing.folders.has(candidate);
      },
      contentAddress: (picture) => fileContentAddress(workspaceId, picture, { preview: '1' }),
      goToHeading,
      openPassage: (id) => latest.current.onPassage?.(id),
      tickAt: (location) =>
        location === undefined || notTickedBecause !== null
          ? (notTickedBecause ?? reading.taskNotHere)
          : async (done) => {
              const tick = latest.current.onTick;
              if (typeof tick !== 'string') await tick(location, done);
            },
    }),
    [workspaceId, path, notTickedBecause],
  );
  const chunks = useMemo(() => chunksOf(parsed), [parsed]);
  const inBlocks = useMemo(() => passagesByBlock(parsed, passages), [parsed, passages]);
  useHashOnce(parsed);

  return (
    <div className="reading-frame" data-alongside={alongside === null ? undefined : true}>
      <div className="reading-columns">
        {withOutline ? <Outline parsed={parsed} /> : null}
        <div className="reading-theme">
          <article ref={articleRef} className="stoa-content" aria-label={name}>
            {parsed.frontMatter === null ? null : (
              <div className="reading-alongside-top">
                {alongside?.(-1)}
                <FrontMatterTable frontMatter={parsed.frontMatter} />
              </div>
            )}
            {chunks.map(({ first, blocks }) => (
              <Chunk
                key={first}
                first={first}
                blocks={blocks}
                facts={facts}
                passages={inBlocks.within(first, first + blocks.length)}
                activePassage={activePassage}
                alongside={alongside}
              />
            ))}
            {parsed.footnotes.length === 0 ? null : (
              <section className="reading-footnotes" aria-label={reading.footnotes}>
                {parsed.footnotes.map((footnote, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: footnotes are identified by their number
                  <Fragment key={at}>
                    {alongside?.(inBlocks.blockCount + at)}
                    <Block
                      index={inBlocks.blockCount + at}
                      block={footnote}
                      facts={facts}
                      passages={noBlockPassages}
                      activePassage={null}
                    />
                  </Fragment>
                ))}
              </section>
            )}
          </article>
        </div>
      </div>
    </div>
  );
}

interface ChunkOfBlocks {
  /** Index of its first block in the file. */
  readonly first: number;
  readonly blocks: readonly ReadingNode[];
}

/** Slices are cached by part, so that an unchanged part does not render again. */
const slicesOf = new WeakMap<readonly ReadingNode[], readonly (readonly ReadingNode[])[]>();

function chunksOf({ parts, tail }: Parsed): readonly ChunkOfBlocks[] {
  const chunks: ChunkOfBlocks[] = [];
  let first = 0;
  for (const part of [...parts, tail]) {
    for (const blocks of sliced(part)) {
      chunks.push({ first, blocks });
      first += blocks.length;
    }
  }
  return chunks;
}

function sliced(part: readonly ReadingNode[]): readonly (readonly ReadingNode[])[] {
  const known = slicesOf.get(part);
  if (known !== undefined) return known;
  const slices: (readonly ReadingNode[])[] = [];
  for (let at = 0; at < part.length; at += blocksInChunk) slices.push(part.slice(at, at + blocksInChunk));
  slicesOf.set(part, slices);
  return slices;
}

/** All blocks of a file, in the order of their `data-block`. */
export function blocksOf({ parts, tail, footnotes }: Parsed): readonly ReadingNode[] {
  return [...parts.flat(), ...tail, ...footnotes];
}

/** The passages of a block; those that start before it come first. */
interface PassagesByBlock {
  readonly blockCount: number;
  within(first: number, end: number): readonly BlockPassage[];
}

interface BlockPassage {
  readonly block: number;
  readonly passage: CommentedPassage;
  readonly hasBegun: boolean;
}

const noBlockPassages: readonly BlockPassage[] = [];

function passagesByBlock(parsed: Parsed, passages: readonly CommentedPassage[]): PassagesByBlock {
  const blocks = [...parsed.parts.flat(), ...parsed.tail];
  const placed: BlockPassage[] = [];
  for (const passage of passages) {
    let hasBegun = false;
    // A file has few passages (one page of threads), so a linear search per passage is enough.
    for (const [block, node] of blocks.entries()) {
      if (isText(node) || node.end <= passage.start || node.start >= passage.end) continue;
      placed.push({ block, passage, hasBegun });
      hasBegun = true;
    }
  }
  return {
    blockCount: blocks.length,
    within: (first, end) => {
      const inside = placed.filter(({ block }) => block >= first && block < end);
      return inside.length === 0 ? noBlockPassages : inside;
    },
  };
}

const Chunk = memo(function Chunk({
  first,
  blocks,
  facts,
  passages,
  activePassage,
  alongside,
}: {
  readonly first: number;
  readonly blocks: readonly ReadingNode[];
  readonly facts: DrawFacts;
  readonly passages: readonly BlockPassage[];
  readonly activePassage: string | null;
  readonly alongside: ((block: number) => ReactNode) | null;
}) {
  return (
    <div className="reading-chunk">
      {blocks.map((block, at) => {
        const own = passages.filter((each) => each.block === first + at);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a block is identified by its index
          <Fragment key={first + at}>
            {alongside?.(first + at)}
            <Block
              index={first + at}
              block={block}
              facts={facts}
              passages={own.length === 0 ? noBlockPassages : own}
              activePassage={own.some(({ passage }) => passage.id === activePassage) ? activePassage : null}
            />
          </Fragment>
        );
      })}
    </div>
  );
});

const Block = memo(function Block({
  index,
  block,
  facts,
  passages,
  activePassage,
}: {
  readonly index: number;
  readonly block: ReadingNode;
  readonly facts: DrawFacts;
  readonly passages: readonly BlockPassage[];
  readonly activePassage: string | null;
}) {
  const begun = new Set(passages.filter(({ hasBegun }) => hasBegun).map(({ passage }) => passage.id));
  const drawn = drawBlock(block, {
    facts,
    passages: passages.map(({ passage }) => passage),
    activePassage,
    begun,
  });
  return isValidElement<{ readonly 'data-block'?: number }>(drawn)
    ? cloneElement(drawn, { 'data-block': index })
    : drawn;
});

function FrontMatterTable({ frontMatter }: { readonly frontMatter: FrontMatter }) {
  if (frontMatter.rows.length === 0) return null;
  return (
    <table className="reading-front-matter" aria-label={reading.frontMatter}>
      <tbody>
        {frontMatter.rows.map(({ key, values }) => (
          <tr key={key.text}>
            <th scope="row" dir="auto">
              {key.text}
            </th>
            <td dir="auto">{values.map(({ text }) => text).join(', ')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface OutlineEntry {
  readonly id: string;
  readonly level: number;
  readonly text: string;
}

function outlineOf({ parts }: Parsed): readonly OutlineEntry[] {
  return parts.flat().flatMap((block) => {
    if (isText(block) || block.facts.id === undefined) return [];
    return [{ id: block.facts.id, level: Number(block.name.slice(1)), text: plainTextOf(block).trim() }];
  });
}

const Outline = memo(function Outline({ parsed }: { readonly parsed: Parsed }) {
  const entries = useMemo(() => outlineOf(parsed), [parsed]);
  if (entries.length < outlineFrom) return null;
  const top = Math.min(...entries.map(({ level }) => level));
  return (
    <nav className="reading-outline" aria-label={reading.onThisPage}>
      <p aria-hidden="true">{reading.onThisPage}</p>
      <ul>
        {entries.map(({ id, level, text }) => (
          <li key={id} data-level={Math.min(level - top, 3)}>
            <a
              href={`#${encodeURIComponent(id)}`}
              dir="auto"
              onClick={(event) => {
                event.preventDefault();
                goToHeading(id);
              }}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
});

function goToHeading(slug: string): void {
  const heading = document.getElementById(headingId(slug));
  if (heading === null) return;
  window.history.replaceState(window.history.state, '', `#${encodeURIComponent(slug)}`);
  heading.scrollIntoView({ block: 'start' });
  heading.focus({ preventScroll: true });
}

/** Scrolls to the heading of the address's hash, once it is rendered. */
function useHashOnce(parsed: Parsed): void {
  const isDone = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each part may contain the heading
  useEffect(() => {
    if (isDone.current || location.hash.length < 2) return;
    const heading = document.getElementById(headingId(decodedHash()));
    if (heading === null) return;
    isDone.current = true;
    heading.scrollIntoView({ block: 'start' });
  }, [parsed]);
}

function decodedHash(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
}
