import { invalidRequest, utf8Text } from '@stoa/core';
import { createWorkMeter } from '../../concurrency/work-meter.ts';
import type { ReadableFile } from '../files/read-file.ts';

/** Larger files are read in windows of bytes. */
export const linedFileMaxBytes = 64 * 1024 * 1024;

/** Some lines of a file, unchanged, and their numbers. */
export interface FileLines {
  /** From 1; 0 for an empty file. */
  readonly from: number;
  readonly to: number;
  readonly total: number;
  readonly text: string;
}

export interface LinesQuestion {
  /** From 1; a negative number counts from the end, -1 is the last line. */
  readonly from: number;
  readonly count: number;
  readonly maxCharacters: number;
  readonly maxBytes: number;
  /** A longer line is cut. */
  readonly lineMaxCharacters: number;
}

/** A line start from which reading can resume. */
interface Mark {
  readonly line: number;
  readonly offset: number;
}

/** Byte range of a line from the file's beginning, with its line end, and its characters without it. */
interface WholeLine {
  readonly lineStart: number;
  readonly lineBytes: number;
  readonly characters: number;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const marksEvery = 1000;
// A byte order mark belongs to the content.
/**
 * Reads lines without holding the file in memory: one pass counts the lines, and a second one starts near the first
 * requested line. Only a line feed ends a line.
 * @throws WorkspaceError `invalid_request` when the lines are not UTF-8, `stored_bytes_missing`
 */
export async function readLines(readable: ReadableFile, question: LinesQuestion): Promise<FileLines> {
  const { total, marks } = await countLines(readable);
  if (total === 0) return { from: 0, to: 0, total, text: '' };
  const wanted = question.from < 0 ? total + 1 + question.from : question.from;
  const from = Math.min(Math.max(wanted, 1), total);
  const mark = marks[Math.floor((from - 1) / marksEvery)] ?? { line: 1, offset: 0 };
  const taken = new TakenLines(from, question);
  await taken.read(readable, mark);
  return { from, to: from + taken.count - 1, total, text: taken.text };
}

async function countLines(readable: ReadableFile) {
  const marks: Mark[] = [{ line: 1, offset: 0 }];
  let ends = 0;
  let offset = 0;
  let lastEnd = -1;
  const meter = createWorkMeter();
  for await (const chunk of chunksFrom(readable, 0)) {
    // A hand-written loop: `indexOf` for each line feed costs much more when lines are short.
    for (let at = 0; at < chunk.byteLength; at += 1) {
      if (chunk[at] !== lineFeed) continue;
      ends += 1;
      lastEnd = offset + at;
      if (ends % marksEvery === 0) marks.push({ line: ends + 1, offset: lastEnd + 1 });
    }
    offset += chunk.byteLength;
    await meter.spend(chunk.byteLength);
  }
  return { total: lastEnd + 1 < offset ? ends + 1 : ends, marks };
}

async function* chunksFrom(
  readable: ReadableFile,
  start: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const opened = await readable.open({ start, end: readable.file.sizeBytes });
  if (opened instanceof Uint8Array) yield opened;
  else yield* opened;
}

/** Collects lines until the next one would exceed the limits. */
class TakenLines {
  readonly #first: number;
  readonly #question: LinesQuestion;
  readonly #parts: string[] = [];
  #characters = 0;
  #bytes = 0;
  count = 0;

  constructor(first: number, question: LinesQuestion) {
    this.#first = first;
    this.#question = question;
  }

  get text(): string {
    return this.#parts.join('');
  }

  async read(readable: ReadableFile, mark: Mark): Promise<void> {
    const { lineMaxCharacters } = this.#question;
    // A character has at most four bytes; the rest of the line is only counted.
    const headMaxBytes = 4 * (lineMaxCharacters + 1);
    let { line, offset: lineStart } = mark;
    let head: Uint8Array[] = [];
    let headBytes = 0;
    let lineBytes = 0;
    let characters = 0;
    let lastBytes: [number, number] = [0, 0];
    const take = (part: Uint8Array): void => {
      lineBytes += part.byteLength;
      if (line < this.#first) return;
      lastBytes = [part.at(-2) ?? lastBytes[1], part.at(-1) ?? lastBytes[1]];
      for (const byte of part) if ((byte & 0xc0) !== 0x80) characters += 1;
      if (headBytes >= headMaxBytes) return;
      const kept = part.slice(0, headMaxBytes - headBytes);
      head.push(kept);
      headBytes += kept.byteLength;
    };
    const endLine = (): boolean => {
      const endCharacters = lastBytes[1] !== lineFeed ? 0 : lastBytes[0] === carriageReturn ? 2 : 1;
      const shown = { lineStart, lineBytes, characters: characters - endCharacters };
      const goesOn = line < this.#first || this.#add(Buffer.concat(head), shown);
      line += 1;
      lineStart += lineBytes;
      [head, headBytes, lineBytes, characters, lastBytes] = [[], 0, 0, 0, [0, 0]];
      return goesOn;
    };
    const meter = createWorkMeter();
    for await (const chunk of chunksFrom(readable, mark.offset)) {
      await meter.spend(4 * chunk.byteLength);
      for (let at = 0; at < chunk.byteLength; ) {
        const end = chunk.indexOf(lineFeed, at);
        take(chunk.subarray(at, end === -1 ? chunk.byteLength : end + 1));
        if (end === -1) break;
        if (!endLine()) return;
        at = end + 1;
      }
    }
    if (lineBytes > 0) endLine();
  }

  /** @returns false when no further line is wanted. */
  #add(head: Uint8Array, line: WholeLine): boolean {
    const { count, maxCharacters, maxBytes } = this.#question;
    const text = this.#shown(head, line);
    const bytes = Buffer.byteLength(text);
    const isTooMuch = this.#characters + text.length > maxCharacters || this.#bytes + bytes > maxBytes;
    if (isTooMuch && this.count > 0) return false;
    this.#parts.push(text);
    this.#characters += text.length;
    this.#bytes += bytes;
    this.count += 1;
    return this.count < count;
  }

  #shown(head: Uint8Array, { lineStart, lineBytes, characters }: WholeLine): string {
    const { lineMaxCharacters } = this.#question;
    if (head.byteLength === lineBytes && characters <= lineMaxCharacters) return decode(head);
    let cut = 0;
    for (let left = lineMaxCharacters; left > 0; left -= 1) {
      cut += 1;
      while (((head[cut] ?? 0) & 0xc0) === 0x80) cut += 1;
    }
    const shown = decode(head.subarray(0, cut));
    return `${shown}… (${characters} characters: read_file offset ${lineStart + cut})\n`;
  }
}

function decode(bytes: Uint8Array): string {
  const text = utf8Text(bytes);
  if (text !== null) return text;
  throw invalidRequest('The bytes are not UTF-8 text: read them with read_file and encoding base64');
}
