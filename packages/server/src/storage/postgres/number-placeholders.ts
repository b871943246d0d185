/** A text or a name in quotes, doubled quotes included, or a placeholder. */
const quotedOrPlaceholder = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g;

/**
 * The sign-in library's SQL is the same for both databases but for its placeholders: `?` by position becomes `$1`, `$2`…
 * What the queries of this program are compiled to has none of the former and stays as it is.
 */
export function numberPlaceholders(sql: string): string {
  let count = 0;
  return sql.replaceAll(quotedOrPlaceholder, (found) => {
    if (found !== '?') return found;
    count += 1;
    return `$${count}`;
  });
}
