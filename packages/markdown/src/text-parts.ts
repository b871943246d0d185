import type { CompileContext, Extension, Token } from 'mdast-util-from-markdown';

/**
 * The source ranges of a text: three numbers per range, as in `ReadingText`. `units` is the sum of their text lengths.
 */
export interface Chunks {
  readonly numbers: number[];
  units: number;
}

/**
 * While the tree is built, records the source token of each part of a text. The tree itself keeps only the start and
 * end of a text, without the escapes, references and line prefixes (`> `) in it. It also lacks the position of a task's
 * checkbox.
 */
export function textChunks(): {
  readonly extension: Extension;
  readonly rangesOf: (node: object) => readonly number[];
  /** Returns the offset of the character between the brackets of a task, by its list item. */
  readonly boxOf: (item: object) => number | undefined;
} {
  const known = new WeakMap<object, Chunks>();
  const boxes = new WeakMap<object, number>();
  /** Nodes into which code or raw HTML was read; the tree drops them once the value is known. */
  let buffered: readonly object[] = [];

  function afterExit(this: CompileContext, token: Token): undefined {
    const parent = this.stack[this.stack.length - 1];
    const item = this.stack[this.stack.length - 2];
    if (token.type.startsWith('taskListCheckValue') && item !== undefined)
      boxes.set(item, token.start.offset);
    const node = parent === undefined ? undefined : lastChild(parent);
    if (parent === undefined || node === undefined) return;
    if (closesBuffer.has(token.type)) {
      joinBuffered(node, token);
      return;
    }
    if (!('value' in node) || node.type !== 'text') return;
    note(node, node.value.length, token);
    if (parent.type === 'fragment') buffered = parent.children;
  }

  function note(node: object, units: number, token: Token): void {
    const chunks = known.get(node) ?? { numbers: [], units: 0 };
    if (units > chunks.units) {
      const { start } = token;
      const added = units - chunks.units;
      // A line end reaches to where the next line's text starts, after its prefix.
      const end = token.type === 'lineEnding' ? start.offset + added : token.end.offset;
      addChunk(chunks, added, start.offset, end);
      known.set(node, chunks);
    } else if (token.type === 'characterEscape') {
      // The backslash belongs to it, so the escaped character gets its own range.
      const escaped = sliceChunks(chunks.numbers, 0, chunks.units - 1);
      escaped.push(1, token.start.offset, token.end.offset);
      known.set(node, { numbers: escaped, units: chunks.units });
    }
  }

  function joinBuffered(node: object, { type }: Token): void {
    if (!('value' in node) || typeof node.value !== 'string' || node.value === '') return;
    const joined: Chunks = { numbers: [], units: 0 };
    let raw = '';
    for (const text of buffered) {
      if (!('value' in text) || typeof text.value !== 'string') continue;
      raw += text.value;
      const { numbers } = known.get(text) ?? { numbers: [] };
      for (let at = 0; at < numbers.length; at += 3) {
        addChunk(joined, numbers[at] ?? 0, numbers[at + 1] ?? 0, numbers[at + 2] ?? 0);
      }
    }
    // The value of a code block excludes the line ends next to its fences.
    const before = type === 'codeFenced' ? (/^(?:\r?\n|\r)/.exec(raw)?.[0].length ?? 0) : 0;
    const numbers = sliceChunks(joined.numbers, before, before + node.value.length);
    known.set(node, { numbers, units: node.value.length });
    buffered = [];
  }

  return {
    extension: { afterExit },
    rangesOf: (node) => known.get(node)?.numbers ?? [],
    boxOf: (item) => boxes.get(item),
  };
}

const closesBuffer: ReadonlySet<string> = new Set([
  'codeFenced',
  'codeIndented',
  'codeText',
  'htmlFlow',
  'htmlText',
]);

function addChunk(chunks: Chunks, length: number, start: number, end: number): void {
  const { numbers } = chunks;
  const last = numbers.length - 3;
  const joins =
    last >= 0 &&
    end - start === length &&
    numbers[last + 2] === start &&
    (numbers[last + 2] ?? 0) - (numbers[last + 1] ?? 0) === numbers[last];
  if (joins) {
    numbers[last] = (numbers[last] ?? 0) + length;
    numbers[last + 2] = end;
  } else numbers.push(length, start, end);
  chunks.units += length;
}

/** The source ranges of the units `from` to `to` of a text. */
export function sliceChunks(numbers: readonly number[], from: number, to: number): number[] {
  const kept: number[] = [];
  let at = 0;
  for (let chunk = 0; chunk < numbers.length; chunk += 3) {
    const [length = 0, start = 0, end = 0] = numbers.slice(chunk, chunk + 3);
    const first = Math.max(from, at);
    const last = Math.min(to, at + length);
    if (first < last) {
      if (end - start === length) kept.push(last - first, start + first - at, start + last - at);
      else kept.push(last - first, start, end);
    }
    at += length;
  }
  return kept;
}

function lastChild(parent: object): { readonly type: string; readonly value: string } | undefined {
  return 'children' in parent && Array.isArray(parent.children) ? parent.children.at(-1) : undefined;
}
