/** Limit of shown rows. */
export const csvRowsMax = 1000;
/** Limit of cells per row: a file without line ends would otherwise be one row of millions. */
export const csvColumnsMax = 200;

export interface CsvRows {
  readonly text: string;
  readonly rows: readonly (readonly string[])[];
  /** The offset in the text at which each row starts, and then the one after the last row. */
  readonly starts: readonly number[];
  /** Whether the file has more rows or cells than these. */
  readonly isCut: boolean;
}

/**
 * Reads the first rows of comma-separated text (RFC 4180) as spreadsheets write it. Fields in double quotes may contain
 * separators and line ends; two double quotes mean one.
 * A first line `sep=;` sets the separator and is not shown. Otherwise the first rows decide between commas, semicolons
 * and tabs.
 */
export function readCsv(text: string, rowsMax = csvRowsMax): CsvRows {
  const rows: string[][] = [];
  let row: string[] = [];
  let isCut = false;
  let at = text.startsWith('\ufeff') ? 1 : 0;
  const named = separatorLine(text, at);
  if (named !== null) at = named.end;
  const separator = named?.separator ?? findSeparator(text, at);
  const starts = [at];

  const endCell = (cell: string): void => {
    if (row.length < csvColumnsMax) row.push(cell);
    else isCut = true;
  };
  while (at < text.length && rows.length < rowsMax) {
    let cell: string;
    if (text[at] === '"') {
      const quoted = quotedCell(text, at);
      const rest = plainEnd(text, quoted.end, separator);
      cell = quoted.value + text.slice(quoted.end, rest);
      at = rest;
    } else {
      const end = plainEnd(text, at, separator);
      cell = text.slice(at, end);
      at = end;
    }
    endCell(cell);
    if (text[at] === separator) {
      at += 1;
      if (at < text.length) continue;
      endCell('');
    } else if (text[at] === '\r' && text[at + 1] === '\n') at += 2;
    else at += 1;
    rows.push(row);
    starts.push(at);
    row = [];
  }
  return { text, rows, starts, isCut: isCut || at < text.length };
}

const number = /^[+\-−]?\d[\d., ’'\u00a0\u202f]*%?$/;

/** Whether each column has only numbers below its heading. Such columns are aligned at their last digit. */
export function numberColumns([head = [], ...body]: CsvRows['rows']): readonly boolean[] {
  return head.map((_, column) => {
    const cells = body.map((row) => row[column]?.trim() ?? '').filter((cell) => cell !== '');
    return cells.length > 0 && cells.every((cell) => number.test(cell));
  });
}

const separators = [',', ';', '\t'] as const;
/** Limits of the sample for detecting the separator. */
const sampleRows = 20;
const sampleUnits = 64 * 1024;

/** The line in which spreadsheets set the separator: `sep=;`. */
function separatorLine(
  text: string,
  from: number,
): { readonly separator: string; readonly end: number } | null {
  const line = /(?:sep=([,;\t|])|"sep=([,;\t|])")(?:\r\n|\n|\r|$)/iy;
  line.lastIndex = from;
  const [, bare, quoted] = line.exec(text) ?? [];
  const separator = bare ?? quoted;
  return separator === undefined ? null : { separator, end: line.lastIndex };
}

/**
 * The separator that all of the first rows have outside quotes. A comma that looks like part of a number or of prose
 * counts only without another candidate.
 */
function findSeparator(text: string, from: number): string {
  const rows = countSeparators(text, from);
  const everywhere = separators.filter((each) => rows.every((row) => row[each] > 0));
  const [only] = everywhere;
  if (rows.length === 0 || (everywhere.length === 1 && only !== undefined)) return only ?? ',';
  const score = (separator: (typeof separators)[number]) => {
    const counts = rows.map((row) => (separator === ',' ? row.sureCommas : row[separator]));
    const total = counts.reduce((sum, count) => sum + count, 0);
    const inAll = counts.every((count) => count > 0);
    return { separator, total, regularity: inAll ? 1 + Number(new Set(counts).size === 1) : 0 };
  };
  const [best] = separators.map(score).toSorted((a, b) => b.regularity - a.regularity || b.total - a.total);
  return best === undefined || best.total === 0 ? ',' : best.separator;
}

type SeparatorCounts = Record<(typeof separators)[number] | 'sureCommas', number>;

/** Counts each separator outside quotes in the first rows; skips empty rows. */
function countSeparators(text: string, from: number): readonly SeparatorCounts[] {
  const rows: SeparatorCounts[] = [];
  const none = (): SeparatorCounts => ({ ',': 0, ';': 0, '\t': 0, sureCommas: 0 });
  let row = none();
  let start = from;
  const end = Math.min(text.length, from + sampleUnits);
  for (let at = from; at <= end && rows.length < sampleRows; at += 1) {
    const character = at < text.length ? text[at] : '\n';
    switch (character) {
      case '"':
        // Elsewhere a quote is an ordinary character.
        if (at === start || /[,;\t]/.test(text[at - 1] ?? '')) at = quotedCell(text, at).end - 1;
        break;
      case ',':
        row[','] += 1;
        if (!/\d,\d|, /.test(text.slice(at - 1, at + 2))) row.sureCommas += 1;
        break;
      case ';':
      case '\t':
        row[character] += 1;
        break;
      case '\n':
      case '\r':
        if (text.slice(start, at).trim() !== '') rows.push(row);
        row = none();
        start = at + 1;
        break;
    }
  }
  return rows;
}

function plainEnd(text: string, from: number, separator: string): number {
  let at = from;
  while (at < text.length) {
    const character = text[at];
    if (character === separator || character === '\n' || character === '\r') break;
    at += 1;
  }
  return at;
}

/** The content between the quotes from `from`; without a closing quote, the rest. */
function quotedCell(text: string, from: number): { readonly value: string; readonly end: number } {
  let value = '';
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return { value: value + text.slice(at), end: text.length };
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    at = quote + 2;
  }
}
