/** The block has to end within so many bytes of UTF-8; what is longer is text. */
export const frontMatterMaxBytes = 64 * 1024;

/** Where a text's front matter stands, in UTF-16 units. */
export interface FrontMatterBlock {
  /** Between the two `---` lines, the last line end included. */
  readonly contentStart: number;
  readonly contentEnd: number;
  /** After the closing line and its line end: here the text proper begins. */
  readonly end: number;
}

/**
 * The block between two `---` lines that a markdown file may begin with, after a byte order mark; null without one. The
 * first 64 KiB of a file give the same answer as the whole file, when a character cut at their end is decoded as U+FFFD
 * and a byte order mark is kept. What the block says is not looked at.
 */
export function frontMatterBlock(text: string): FrontMatterBlock | null {
  const fence = /---[ \t]*(?:\r?\n|$)/y;
  fence.lastIndex = text.startsWith('\ufeff') ? 1 : 0;
  if (!fence.test(text)) return null;
  const contentStart = fence.lastIndex;
  const { head, isWhole } = beginning(text);
  for (let line = contentStart; line > 0; line = head.indexOf('\n', line) + 1) {
    fence.lastIndex = line;
    // A line that ends with the first 64 KiB, and not with a line end, may go on after them.
    if (fence.test(head) && (isWhole || head[fence.lastIndex - 1] === '\n'))
      return { contentStart, contentEnd: line, end: fence.lastIndex };
  }
  return null;
}

/** What of a text lies within the limit. It counts as whole only when there was room for more. */
function beginning(text: string): { readonly head: string; readonly isWhole: boolean } {
  const { read, written } = new TextEncoder().encodeInto(
    text.slice(0, frontMatterMaxBytes),
    new Uint8Array(frontMatterMaxBytes),
  );
  return { head: text.slice(0, read), isWhole: read === text.length && written < frontMatterMaxBytes };
}
