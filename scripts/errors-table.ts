import { errorTable } from '@stoa/contract';

/** Sample details: the fields of a body or header do not depend on their values. */
const someDetails = { retryAfterSeconds: 1, allow: 'GET', sizeBytes: 1 };

/** Returns the rows of the table in docs/interface/errors.md, by status and text. */
export function errorRows(): readonly string[] {
  return Object.values(errorTable)
    .map(({ status, statusMessage, prefix, data, flat, headers }) => {
      const alongside = [
        ...(flat === undefined ? [] : [`body \`${fieldsOf(flat(someDetails))}\``]),
        ...(data === undefined ? [] : [`\`data\`: \`${fieldsOf(data(someDetails))}\``]),
        ...Object.keys(headers?.(someDetails) ?? {}).map((name) => `\`${name}\``),
      ];
      const text = prefix === undefined ? statusMessage : `${prefix}…`;
      const cells = alongside.length === 0 ? [status, text] : [status, text, alongside.join('; ')];
      return `| ${cells.join(' | ')} |`;
    })
    .sort((a, b) => (a < b ? -1 : 1));
}

/** `{ error: "file_too_large", limit_bytes }` */
function fieldsOf(body: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(body).map(([name, value]) =>
    name === 'error' ? `error: ${JSON.stringify(value)}` : name,
  );
  return `{ ${fields.join(', ')} }`;
}
