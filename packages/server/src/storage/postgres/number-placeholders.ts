/** A text or a name in quotes, doubled quotes included, or a placeholder. */
const quotedOrPlaceholder = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g;

/**
 * Replaces positional placeholders: the sign-in library's SQL is the same for both databases except that `?` becomes
 * `$1`, `$2`… This program's own compiled queries contain no `?` and stay unchanged.
 */
export function numberPlaceholders(sql: string): string {
  let count = 0;
  return sql.replaceAll(quotedOrPlaceholder, (found) => {
    if (found !== '?') return found;
    count += 1;
    return `$${count}`;
  });
}
