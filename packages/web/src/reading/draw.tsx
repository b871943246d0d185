import { judgeDataPicture } from '@stoa/core';
import {
  isText,
  plainTextOf,
  type ReadingElement,
  type ReadingNode,
  type ReadingText,
  textsOf,
} from '@stoa/markdown/tree';
import type { ReactNode } from 'react';
import { fileAddress, folderAddress } from '../api/addresses.ts';
import { reading } from '../text/en/reading.ts';
import { AppLink } from '../ui/AppLink.tsx';
import { Icon } from '../ui/Icon.tsx';
import { type MarkedPart, markedParts, type Passage } from './marked-text.ts';
import { resolveLink } from './resolve-link.ts';
import { TaskBox } from './TaskBox.tsx';

/** A passage with threads. */
export interface CommentedPassage extends Passage {
  readonly quote: string;
  readonly comments: number;
}

/** Facts about a file, besides its text, that rendering needs. */
export interface DrawFacts {
  readonly workspaceId: string;
  readonly path: string;
  /** Whether a path is a folder, which has a different page. */
  isFolder(path: string): boolean;
  /** The address of a file's bytes, for images. */
  contentAddress(path: string): string;
  goToHeading(fragment: string): void;
  openPassage(id: string): void;
  /**
   * Toggles the task at a position; or the reason why it cannot be toggled. Without a position: for a checkbox that is
   * not in the source.
   */
  tickAt(location: number | undefined): ((done: boolean) => Promise<void>) | string;
}

/** State that changes while a block is rendered from start to end. */
interface Drawing {
  readonly facts: DrawFacts;
  readonly passages: readonly CommentedPassage[];
  readonly activePassage: string | null;
  readonly begun: Set<string>;
  /** The text of the task being rendered. */
  readonly task: string;
  readonly isCode: boolean;
}

/**
 * Renders a block to elements. Plain functions, because the start of a passage depends on what was rendered before.
 * Each text of the file is its own text node. Additions of the app are marked `data-extra`: selections ignore them, and
 * themes do not apply to them.
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
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other identity
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
        data-extra
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
      return (
        <p key={key} dir="auto">
          {drawAll(children, drawing)}
        </p>
      );
    case 'ul':
    case 'blockquote': {
      const Tag = name;
      return (
        <Tag key={key} dir={directionOf(node)}>
          {drawAll(children, drawing)}
        </Tag>
      );
    }
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
        <Tag key={key} id={facts.id === undefined ? undefined : headingId(facts.id)} tabIndex={-1} dir="auto">
          {drawAll(children, drawing)}
        </Tag>
      );
    }
    case 'ol':
      return (
        <ol key={key} start={facts.startsAt} dir={directionOf(node)}>
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard
        <pre key={key} tabIndex={0} dir="auto">
          {drawAll(children, { ...drawing, isCode: true })}
        </pre>
      );
    case 'html':
      return (
        <div key={key} className="reading-html" dir="auto">
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard
        <div key={key} className="reading-scroll" tabIndex={0} dir={directionOf(node)}>
          <table>{drawAll(children, drawing)}</table>
        </div>
      );
    case 'th':
    case 'td': {
      const Tag = name;
      return (
        <Tag key={key} data-align={facts.align} dir="auto">
          {drawAll(children, drawing)}
        </Tag>
      );
    }
    case 'section':
      return (
        <section
          key={key}
          id={footnoteId(facts.footnote)}
          className="reading-footnote"
          tabIndex={-1}
          dir={directionOf(node)}
        >
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
    <li key={key} data-task={isTask ? true : undefined} dir={directionOf(node)}>
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

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Returns the direction of the first letter in a block that contains other blocks. The browser's `auto` skips elements
 * with their own `dir`.
 */
function directionOf(node: ReadingElement): 'ltr' | 'rtl' | 'auto' {
  for (const { text } of textsOf(node)) {
    const letter = /\p{L}/u.exec(text)?.[0];
    if (letter !== undefined) return rightToLeft.test(letter) ? 'rtl' : 'ltr';
  }
  return 'auto';
}

/**
 * An image of the workspace. An external image is only a link, because loading it would tell its host who reads this.
 */
function drawPicture(
  { facts: { src = '', notShown, alt = '', title } }: ReadingElement,
  key: number,
  { facts }: Drawing,
): ReactNode {
  if (notShown !== undefined) {
    return (
      <span key={key} data-extra title={title}>
        {alt === '' ? '' : `${alt} `}({reading.pictureNotShown[notShown]})
      </span>
    );
  }
  if (judgeDataPicture(src) !== null)
    return <img key={key} src={src} alt={alt} title={title} decoding="async" />;
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

/** Ids of headings come from the file; the prefix keeps them from clashing with other ids. */
export function headingId(slug: string): string {
  return `heading-${slug}`;
}

function footnoteId(number: number | undefined): string {
  return `footnote-${number ?? 0}`;
}
