/**
 * A Markdown file for rendering, as plain data sent by the worker. Offsets are UTF-16 units of the whole file's text,
 * including a byte order mark.
 */
export type ReadingNode = ReadingText | ReadingElement;

export interface ReadingText {
  readonly text: string;
  /**
   * Source ranges of the text: three numbers each, `units of text, source start, source end`. Equal lengths mean equal
   * characters; otherwise (an escape, a character reference) the range is indivisible. Empty: not in the source.
   */
  readonly ranges: readonly number[];
}

export interface ReadingElement {
  readonly name: ReadingName;
  /** Range in the source, including its markers. */
  readonly start: number;
  readonly end: number;
  readonly children: readonly ReadingNode[];
  readonly facts: ReadingFacts;
}

/** Data of some elements in addition to their children. */
export interface ReadingFacts {
  /** For a heading. */
  readonly id?: string;
  readonly href?: string;
  readonly src?: string;
  /** For a `data:` image without `src`: why it is not shown. */
  readonly notShown?: 'too_large' | 'other';
  readonly alt?: string;
  readonly title?: string;
  readonly align?: 'left' | 'center' | 'right';
  /** For an ordered list. */
  readonly startsAt?: number;
  readonly language?: string;
  /** For a task: whether it is done, and the offset of the character between its brackets. */
  readonly isDone?: boolean;
  readonly checkAt?: number;
  /** For a footnote and its references. */
  readonly footnote?: number;
}

/** `html` is raw HTML, shown as text. */
export const readingNames = [
  'p',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'li',
  'blockquote',
  'pre',
  'code',
  'em',
  'strong',
  'del',
  'a',
  'img',
  'br',
  'hr',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'input',
  'sup',
  'section',
  'html',
] as const;
export type ReadingName = (typeof readingNames)[number];

/** Elements whose markers are included in a quote of their whole text. */
export const inlineNames: ReadonlySet<ReadingName> = new Set<ReadingName>([
  'code',
  'em',
  'strong',
  'del',
  'a',
]);

export function isText(node: ReadingNode): node is ReadingText {
  return 'text' in node;
}

/** The texts of a node, in order. */
export function* textsOf(node: ReadingNode): Generator<ReadingText, void, undefined> {
  if (isText(node)) yield node;
  else for (const child of node.children) yield* textsOf(child);
}

export function plainTextOf(node: ReadingNode): string {
  let text = '';
  for (const each of textsOf(node)) text += each.text;
  return text;
}
