import type { ReactNode } from 'react';
import { fileAddress, folderAddress } from '../api/addresses.ts';
import { reading } from '../text/en/reading.ts';
import { AppLink } from '../ui/AppLink.tsx';
import { Icon } from '../ui/Icon.tsx';
import {
  isText,
  plainTextOf,
  type ReadingElement,
  type ReadingNode,
  type ReadingText,
} from './markdown/tree.ts';
import { type MarkedPart, markedParts, type Passage } from './marked-text.ts';
import { resolveLink } from './resolve-link.ts';
import { TaskBox } from './TaskBox.tsx';

/** A passage that threads are about. */
export interface CommentedPassage extends Passage {
  readonly quote: string;
  readonly comments: number;
}

/** What drawing a file needs to know besides its text. */
export interface DrawFacts {
  readonly workspaceId: string;
  readonly path: string;
  /** Whether a path is a folder: its links lead elsewhere. */
  isFolder(path: string): boolean;
  /** The address of a file's bytes, for pictures. */
  contentAddress(path: string): string;
  goToHeading(fragment: string): void;
  openPassage(id: string): void;
  /** Ticks the task whose box is there; or why that cannot be done. Without a place: of a box that is none of the text's. */
  tickAt(place: number | undefined): ((done: boolean) => Promise<void>) | string;
}

/** What changes while a block is drawn from its beginning to its end. */
interface Drawing {
  readonly facts: DrawFacts;
  readonly passages: readonly CommentedPassage[];
  readonly activePassage: string | null;
  readonly begun: Set<string>;
  /** The text of the task that is being drawn. */
  readonly task: string;
  readonly isCode: boolean;
}

/**
 * A block as elements: plain functions, since where a passage begins depends on what was drawn before. Every text of the
 * file is a text node of its own; whatever else holds text is marked `data-extra`, and counts in no selection.
 */
export function drawBlock(
  block: ReadingNode,
  given: Pick<Drawing, 'facts' | 'passages' | 'activePassage'> & { readonly begun: ReadonlySet<string> },
): ReactNode {
  return draw(block, 0, { ...given, begun: new Set(given.begun), task: '', isCode: false });
}

function draw(node: ReadingNode, key: number, drawing: Drawing): ReactNode {
  return isText(node) ? drawText(node, drawing) : drawElement(node, key, drawing);
}

function drawAll(nodes: readonly ReadingNode[], drawing: Drawing): ReactNode[] {
  return nodes.map((node, key) => draw(node, key, drawing));
}

function drawText(text: ReadingText, { passages, activePassage, begun, facts }: Drawing): ReactNode {
  if (passages.length === 0) return text.text;
  return markedParts(text, passages, begun).map((part, key) =>
    part.passages.length === 0 ? (
      part.text
    ) : (
      <mark
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other name
        key={key}
        className="reading-mark"
        data-active={activePassage !== null && part.passages.includes(activePassage) ? true : undefined}
        data-passages={part.passages.join(' ')}
      >
        {drawMarkButtons(part, passages, facts)}
        {part.text}
      </mark>
    ),
  );
}

function drawMarkButtons(
  { begins }: MarkedPart,
  passages: readonly CommentedPassage[],
  facts: DrawFacts,
): ReactNode {
  return begins.map((id) => {
    const passage = passages.find((each) => each.id === id);
    if (passage === undefined) return null;
    return (
      <button
        key={id}
        type="button"
        className="reading-mark-button"
        aria-label={reading.marked(passage.comments, passage.quote)}
        data-passage={id}
        onClick={() => facts.openPassage(id)}
      >
        <Icon name="comments" size={12} />
      </button>
    );
  });
}

function drawElement(node: ReadingElement, key: number, drawing: Drawing): ReactNode {
  const { name, children, facts } = node;
  switch (name) {
    case 'p':
    case 'ul':
    case 'blockquote':
    case 'em':
    case 'strong':
    case 'del':
    case 'thead':
    case 'tbody':
    case 'tr':
    case 'sup': {
      const Tag = name;
      return <Tag key={key}>{drawAll(children, drawing)}</Tag>;
    }
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6': {
      const Tag = name;
      return (
        <Tag key={key} id={facts.id === undefined ? undefined : headingId(facts.id)} tabIndex={-1}>
          {drawAll(children, drawing)}
        </Tag>
      );
    }
    case 'ol':
      return (
        <ol key={key} start={facts.startsAt}>
          {drawAll(children, drawing)}
        </ol>
      );
    case 'li':
      return drawItem(node, key, drawing);
    case 'input':
      return (
        <TaskBox
          key={key}
          label={drawing.task}
          isDone={facts.isDone === true}
          onTick={drawing.facts.tickAt(facts.checkAt)}
        />
      );
    case 'pre':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <pre key={key} tabIndex={0}>
          {drawAll(children, { ...drawing, isCode: true })}
        </pre>
      );
    case 'html':
      return (
        <div key={key} className="reading-html">
          {drawAll(children, drawing)}
        </div>
      );
    case 'code':
      return (
        <code key={key} data-language={facts.language}>
          {drawAll(children, drawing)}
        </code>
      );
    case 'a':
      return drawLink(node, key, drawing);
    case 'img':
      return drawPicture(node, key, drawing);
    case 'br':
      return <br key={key} />;
    case 'hr':
      return <hr key={key} />;
    case 'table':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <div key={key} className="reading-scroll" tabIndex={0}>
          <table>{drawAll(children, drawing)}</table>
        </div>
      );
    case 'th':
    case 'td': {
      const Tag = name;
      return (
        <Tag key={key} data-align={facts.align}>
          {drawAll(children, drawing)}
        </Tag>
      );
    }
    case 'section':
      return (
        <section key={key} id={footnoteId(facts.footnote)} className="reading-footnote" tabIndex={-1}>
          <span className="reading-footnote-number" data-extra>
            {facts.footnote}
          </span>
          {drawAll(children, drawing)}
        </section>
      );
  }
}

function drawItem(node: ReadingElement, key: number, drawing: Drawing): ReactNode {
  const own = node.children.filter((child) => isText(child) || (child.name !== 'ul' && child.name !== 'ol'));
  const isTask = own.some((child) => !isText(child) && holdsBox(child));
  const task = isTask ? own.map(plainTextOf).join('').trim() : '';
  return (
    <li key={key} data-task={isTask ? true : undefined}>
      {drawAll(node.children, { ...drawing, task: task === '' ? reading.task : task })}
    </li>
  );
}

function holdsBox(node: ReadingElement): boolean {
  return (
    node.name === 'input' ||
    (node.name === 'p' && node.children.some((child) => !isText(child) && holdsBox(child)))
  );
}

function drawLink(node: ReadingElement, key: number, drawing: Drawing): ReactNode {
  const { facts } = drawing;
  const { href, title, footnote } = node.facts;
  const children = drawAll(node.children, drawing);
  if (footnote !== undefined) {
    return (
      <a
        key={key}
        href={`#${footnoteId(footnote)}`}
        aria-label={reading.footnote(footnote)}
        onClick={(event) => {
          event.preventDefault();
          document.getElementById(footnoteId(footnote))?.focus();
        }}
      >
        {children}
      </a>
    );
  }
  const target = resolveLink(facts.path, href ?? '');
  switch (target.kind) {
    case 'workspace': {
      const { workspaceId } = facts;
      const { path } = target;
      const address =
        path === '' || facts.isFolder(path)
          ? folderAddress(workspaceId, path)
          : fileAddress(workspaceId, path);
      const hash = target.fragment === null ? '' : `#${encodeURIComponent(target.fragment)}`;
      return (
        <AppLink key={key} to={address + hash} title={title}>
          {children}
        </AppLink>
      );
    }
    case 'fragment':
      return (
        <a
          key={key}
          href={`#${encodeURIComponent(target.fragment)}`}
          title={title}
          onClick={(event) => {
            event.preventDefault();
            facts.goToHeading(target.fragment);
          }}
        >
          {children}
        </a>
      );
    case 'elsewhere':
      return (
        <a key={key} href={target.href} title={title} target="_blank" rel="noopener noreferrer">
          {children}
        </a>
      );
    case 'mail':
      return (
        <a key={key} href={target.href} title={title}>
          {children}
        </a>
      );
    case 'nowhere':
      return (
        <span key={key} title={title}>
          {children}
        </span>
      );
  }
}

/** A picture of the workspace. One from elsewhere would tell that host who reads this: it is a link. */
function drawPicture(
  { facts: { src = '', alt = '', title } }: ReadingElement,
  key: number,
  { facts }: Drawing,
): ReactNode {
  const target = resolveLink(facts.path, src);
  switch (target.kind) {
    case 'workspace':
      return (
        <img
          key={key}
          src={facts.contentAddress(target.path)}
          alt={alt}
          title={title}
          loading="lazy"
          decoding="async"
        />
      );
    case 'elsewhere':
      return (
        <a key={key} data-extra href={target.href} target="_blank" rel="noopener noreferrer" title={title}>
          {alt === '' ? '' : `${alt} `}({reading.pictureFrom(target.host)})
        </a>
      );
    case 'fragment':
    case 'mail':
    case 'nowhere':
      return (
        <span key={key} data-extra>
          {alt}
        </span>
      );
  }
}

/** Ids of headings come from the file: with a prefix they can be nobody else's. */
export function headingId(slug: string): string {
  return `heading-${slug}`;
}

function footnoteId(number: number | undefined): string {
  return `footnote-${number ?? 0}`;
}
