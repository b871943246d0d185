/** Rows that are shown. */
export const csvRowsMax = 1000;
/** Cells of a row: a file without line ends would otherwise be one row of millions. */
export const csvColumnsMax = 200;

export interface CsvRows {
  readonly rows: readonly (readonly string[])[];
  /** True when the file has more rows or cells than these. */
  readonly isCut: boolean;
}

/**
 * The first rows of comma-separated text, as RFC 4180 has it and spreadsheets write it: fields in double quotes may hold commas
 * and line ends, two double quotes stand for one. Where the first line has semicolons or tabs and no comma, those part
 * the fields.
 */
export function readCsv(text: string, rowsMax = csvRowsMax): CsvRows {
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let isCut = false;
  let at = text.startsWith('\ufeff') ? 1 : 0;

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
    row = [];
  }
  return { rows, isCut: isCut || at < text.length };
}

const number = /^[+\-−]?\d[\d., ’'\u00a0\u202f]*%?$/;

/** Which columns hold numbers and nothing else below their heading: these are read from their last digit. */
export function numberColumns([head = [], ...body]: CsvRows['rows']): readonly boolean[] {
  return head.map((_, column) => {
    const cells = body.map((row) => row[column]?.trim() ?? '').filter((cell) => cell !== '');
    return cells.length > 0 && cells.every((cell) => number.test(cell));
  });
}

function separatorOf(text: string): ',' | ';' | '\t' {
  const [line = ''] = text.slice(0, 4096).split(/[\r\n]/, 1);
  if (line.includes(',')) return ',';
  if (line.includes('\t')) return '\t';
  return line.includes(';') ? ';' : ',';
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

/** What stands between the quotes at `from`; without an end, all the rest. */
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
