/** Front matter that is longer is taken for text. */
const frontMatterMaxCharacters = 64 * 1024;

/** The text without the YAML block that it may begin with: that is for programs. */
export function withoutFrontMatter(text: string): string {
  const start = /^\ufeff?---[ \t]*\r?\n/.exec(text);
  if (start === null) return text;
  const end = /^---[ \t]*(?:\r?\n|$)/gm;
  end.lastIndex = start[0].length;
  const found = end.exec(text.slice(0, frontMatterMaxCharacters));
  return found === null ? text : text.slice(found.index + found[0].length);
}
