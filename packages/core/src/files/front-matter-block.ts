/** The block must end within this many bytes of UTF-8; a longer one is ordinary text. */
export const frontMatterMaxBytes = 64 * 1024;

/** The position of a text's front matter, in UTF-16 units. */
export interface FrontMatterBlock {
  /** Between the two `---` lines, including the last line end. */
  readonly contentStart: number;
  readonly contentEnd: number;
  /** After the closing line and its line end: the start of the actual text. */
  readonly end: number;
}

/**
 * Finds the block between two `---` lines at the start of a markdown file, after an optional byte order mark; null
 * without one. The first 64 KiB of a file give the same result as the whole file. For that, decode a character cut at
 * their end as U+FFFD and keep a byte order mark. Does not check the content of the block.
 */
export function frontMatterBlock(text: string): FrontMatterBlock | null {
  const fence = /---[ \t]*(?:\r?\n|$)/y;
  fence.lastIndex = text.startsWith('\ufeff') ? 1 : 0;
  if (!fence.test(text)) return null;
  const contentStart = fence.lastIndex;
  const { head, isWhole } = beginning(text);
  for (let line = contentStart; line > 0; line = head.indexOf('\n', line) + 1) {
    fence.lastIndex = line;
    // A line that ends with the first 64 KiB, without a line end, may continue after them.
    if (fence.test(head) && (isWhole || head[fence.lastIndex - 1] === '\n'))
      return { contentStart, contentEnd: line, end: fence.lastIndex };
  }
  return null;
}

/** Returns the part of a text within the limit. It counts as whole only if there was room for more. */
function beginning(text: string): { readonly head: string; readonly isWhole: boolean } {
  const { read, written } = new TextEncoder().encodeInto(
    text.slice(0, frontMatterMaxBytes),
    new Uint8Array(frontMatterMaxBytes),
  );
  return { head: text.slice(0, read), isWhole: read === text.length && written < frontMatterMaxBytes };
}
