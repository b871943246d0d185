/**
 * What is drawn of a markdown file: plain data, which the worker sends. Offsets are UTF-16 units of the whole file's text,
 * a byte order mark included.
 */
export type ReadingNode = ReadingText | ReadingElement;

export interface ReadingText {
  readonly text: string;
  /**
   * Where the text stands in the source: three numbers a piece, `units of text, source start, source end`. Equal lengths
   * mean the same characters; else (an escape, a character reference) the piece is one whole. Empty: not in the source.
   */
  readonly pieces: readonly number[];
}

export interface ReadingElement {
  readonly name: ReadingName;
  /** In the source, with its markers. */
  readonly start: number;
  readonly end: number;
  readonly children: readonly ReadingNode[];
  readonly facts: ReadingFacts;
}

/** What some elements have beside their children. */
export interface ReadingFacts {
  /** Of a heading. */
  readonly id?: string;
  readonly href?: string;
  readonly src?: string;
  readonly alt?: string;
  readonly title?: string;
  readonly align?: 'left' | 'center' | 'right';
  /** Of an ordered list. */
  readonly startsAt?: number;
  readonly language?: string;
  /** Of a task: whether it is done, and where the character between its brackets is. */
  readonly isDone?: boolean;
  readonly checkAt?: number;
  /** Of a mark of a footnote, and of the footnote. */
  readonly footnote?: number;
}

/** `html` is raw HTML, shown as the text that it is. */
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

/** Whose markers belong to a quote that covers all their text. */
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

/** The texts of a node in their order. */
export function* textsOf(node: ReadingNode): Generator<ReadingText, void, undefined> {
  if (isText(node)) yield node;
  else for (const child of node.children) yield* textsOf(child);
}

export function plainTextOf(node: ReadingNode): string {
  let text = '';
  for (const each of textsOf(node)) text += each.text;
  return text;
}
