/** Takes the texts that people read out of a file: paragraphs of Markdown; comments, titles of tests, messages and names of code. */
import { parseSync, Visitor } from 'rolldown/utils';
import type { ProseText } from './find-faults.ts';

/** A message has words; shorter strings are identifiers, paths or markup. */
const messageWordsMin = 3;

export function readTexts(file: string, source: string): readonly ProseText[] {
  return file.endsWith('.md') ? readMarkdown(file, source) : readCode(file, source);
}

function readMarkdown(file: string, source: string): readonly ProseText[] {
  const texts: ProseText[] = [];
  let paragraph: string[] = [];
  let paragraphLine = 0;
  let fence: string | null = null;
  const add = (line: number, text: string) => {
    const plain = withoutMarkup(text);
    if (/\p{L}/u.test(plain)) texts.push({ file, line, kind: 'markdown', text: plain });
  };
  const endParagraph = () => {
    if (paragraph.length > 0) add(paragraphLine, paragraph.join(' '));
    paragraph = [];
  };
  for (const [at, line] of source.split('\n').entries()) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (mark !== undefined || fence !== null) {
      endParagraph();
      if (fence === null) fence = mark ?? null;
      else if (mark?.startsWith(fence)) fence = null;
    } else if (/^\s*\|/.test(line)) {
      endParagraph();
      for (const cell of line.split(/(?<!\\)\|/)) add(at + 1, cell);
    } else if (/^\s*(?:#|$)/.test(line)) {
      endParagraph();
      add(at + 1, line);
    } else {
      if (/^\s*(?:[-*+>]|\d+[.)]) /.test(line)) endParagraph();
      if (paragraph.length === 0) paragraphLine = at + 1;
      paragraph.push(line);
    }
  }
  endParagraph();
  return texts;
}

function readCode(file: string, source: string): readonly ProseText[] {
  const { program, comments, errors } = parseSync(file, source, {
    lang: file.endsWith('x') ? 'tsx' : 'ts',
  });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const lineOf = lineFinder(source);
  const texts: ProseText[] = [];
  const names = new Map<string, number>();
  const addName = (at: number, name: string) => {
    if (!names.has(name)) names.set(name, at);
  };
  const addMessage = (at: number, text: string) => {
    const words = text.match(/\p{L}{2,}/gu)?.length ?? 0;
    if (words < messageWordsMin || isStatement(text)) return;
    texts.push({ file, line: lineOf(at), kind: 'string', text: withoutMarkup(text) });
  };
  const declare = (pattern: Pattern) => {
    for (const { name, start } of identifiersOf(pattern)) addName(start, name);
  };
  const declareFunction = ({ id, params }: { id?: Pattern | null; params: readonly Pattern[] }) => {
    if (id) declare(id);
    params.forEach(declare);
  };
  const titles = new Set<number>();
  /** In tests, other strings are data. */
  const messages = isTest(file) ? new Set<number>() : null;
  const isMessage = (start: number) => messages === null || messages.has(start);
  new Visitor({
    NewExpression({ callee, arguments: given }) {
      const isError = callee.type === 'Identifier' && callee.name.endsWith('Error');
      if (isError) for (const { start } of given) messages?.add(start);
    },
    CallExpression({ callee, arguments: given }) {
      const [title] = given;
      const last = given.at(-1);
      const [, assertion] = /^assert(?:\.(\w+))?$/.exec(source.slice(callee.start, callee.end)) ?? [
        null,
        null,
      ];
      const valuesOfIt = assertion === null ? Infinity : (valuesBefore[assertion ?? 'ok'] ?? 2);
      if (last !== undefined && given.length > valuesOfIt) messages?.add(last.start);
      const called = callee.type === 'MemberExpression' ? callee.object : callee;
      if (called.type !== 'Identifier' || !/^(?:test|it|describe|suite)$/.test(called.name)) return;
      if (title?.type !== 'Literal' && title?.type !== 'TemplateLiteral') return;
      titles.add(title.start);
      const text = source.slice(title.start + 1, title.end - 1);
      texts.push({ file, line: lineOf(title.start), kind: 'title', text: withoutMarkup(text) });
    },
    Literal({ value, start }) {
      if (typeof value === 'string' && !titles.has(start) && isMessage(start)) addMessage(start, value);
    },
    TemplateLiteral({ quasis, start }) {
      if (!titles.has(start) && isMessage(start))
        addMessage(start, quasis.map((part) => part.value.raw).join(' … '));
    },
    JSXText({ value, start }) {
      addMessage(start, value);
    },
    VariableDeclarator: ({ id }) => declare(id),
    FunctionDeclaration: declareFunction,
    FunctionExpression: declareFunction,
    ArrowFunctionExpression: declareFunction,
    TSTypeAliasDeclaration: ({ id }) => declare(id),
    TSInterfaceDeclaration: ({ id }) => declare(id),
    ClassDeclaration: ({ id }) => id && declare(id),
    TSPropertySignature: ({ key }) => declare(key),
    PropertyDefinition: ({ key }) => declare(key),
    MethodDefinition: ({ key }) => declare(key),
  }).visit(program);
  for (const [name, at] of names)
    for (const part of partsOf(name)) texts.push({ file, line: lineOf(at), kind: 'name', text: part });
  texts.push(...readComments(file, source, comments, lineOf));
  return texts;
}

type Pattern = { readonly type: string };

interface Comment {
  readonly type: 'Block' | 'Line';
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

function readComments(
  file: string,
  source: string,
  comments: readonly Comment[],
  lineOf: (at: number) => number,
): readonly ProseText[] {
  const texts: ProseText[] = [];
  const add = (at: number, text: string, isDoc: boolean) => {
    if (/^\s*(?:biome-ignore|@ts-|docs\/|\/ )/.test(text)) return;
    // A tag begins a text of its own.
    for (const part of text.split(/ (?=@(?:param|returns|throws)\b)/)) {
      const plain = withoutMarkup(part.replace(/^@param \S+|^@\w+/, ''));
      if (/\p{L}/u.test(plain))
        texts.push({
          file,
          line: lineOf(at),
          kind: isDoc && part === text ? 'doc comment' : 'comment',
          text: plain,
        });
    }
  };
  let run: { at: number; end: number; lines: string[] } | null = null;
  const endRun = () => {
    if (run !== null) add(run.at, run.lines.join(' '), false);
    run = null;
  };
  for (const { type, value, start, end } of comments) {
    if (type === 'Block') {
      endRun();
      const text = value
        .replace(/^\*/, '')
        .replace(/\n\s*\* ?/g, '\n')
        // Commands and examples.
        .replace(/^ {2,}.*$/gm, '')
        .replace(/\s+/g, ' ')
        .trim();
      add(start, text, value.startsWith('*'));
      continue;
    }
    if (
      run !== null &&
      /^\s*$/.test(source.slice(run.end, start)) &&
      !/\n\s*\n/.test(source.slice(run.end, start))
    ) {
      run.lines.push(value.trim());
      run.end = end;
    } else {
      endRun();
      run = { at: start, end, lines: [value.trim()] };
    }
  }
  endRun();
  return texts;
}

/** The number of values before the message of an assertion, where it is not two. */
const valuesBefore: Readonly<Record<string, number>> = { ok: 1, fail: 0, rejects: 2, throws: 2 };

function isTest(file: string): boolean {
  return /(?:^|\/)tests?\/|^(?:demo|bench\/(?:seed|agents))\//.test(file);
}

/** SQL, CSS classes, addresses and code are not messages. */
function isStatement(text: string): boolean {
  return (
    /^\s*(?:select|insert|update|delete|create|drop|alter|with|pragma|from|where|and|or|on|set|order by|begin)\b[^.]*$/i.test(
      text,
    ) ||
    (/\b(?:from|join|into|update|exists) \(?\w+|\bselect \w+/.test(text) &&
      /\b(?:where|on|set|values|group by|order by|union)\b/.test(text)) ||
    /\w_id = |[{};=<>]\s*$|^\s*[<{[(]|^[\w-]+:\/\/\S*$|^[\w./-]+$/.test(text) ||
    !/ /.test(text.trim())
  );
}

function withoutMarkup(text: string): string {
  return (
    text
      .replace(/<!--.*?-->/g, '')
      .replace(/`[^`]*`/g, 'X')
      // Flags of commands are names.
      .replace(/(?<![\w-])--[a-z][a-z-]*/g, 'X')
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/\{@link ([^}]*)\}/g, 'X')
      .replace(/^[\s>#*+-]+(?:\[[ x]\] )?|\*\*|__/g, '')
      .replace(/\*(\S[^*]*)\*/g, '$1')
      .replace(/\((?:interface|docs?): [^)]*\)/g, '')
      .replace(/\s+/g, ' ')
      .trim()
  );
}

function* identifiersOf(pattern: unknown): Iterable<{ name: string; start: number }> {
  if (pattern === null || typeof pattern !== 'object') return;
  const node = pattern as Record<string, unknown>;
  switch (node.type) {
    case 'Identifier':
    case 'PrivateIdentifier':
      yield { name: String(node.name), start: Number(node.start) };
      return;
    case 'ObjectPattern':
      for (const property of node.properties as Record<string, unknown>[])
        yield* identifiersOf(property.type === 'Property' ? property.value : property.argument);
      return;
    case 'ArrayPattern':
      for (const element of node.elements as unknown[]) yield* identifiersOf(element);
      return;
    case 'AssignmentPattern':
      yield* identifiersOf(node.left);
      return;
    case 'RestElement':
      yield* identifiersOf(node.argument);
      return;
    case 'TSParameterProperty':
      yield* identifiersOf(node.parameter);
  }
}

/** The words of a name, and its pairs: `LeftOutFiles` has `left`, `out`, `files`, `leftOut`, `outFiles`. */
export function partsOf(name: string): readonly string[] {
  const words = name.split(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_$-]+/).filter(Boolean);
  const pairs = words.slice(1).map((word, at) => `${words[at]}${word[0]?.toUpperCase()}${word.slice(1)}`);
  return [...words, ...pairs].map((part) => `${part[0]?.toLowerCase()}${part.slice(1)}`);
}

function lineFinder(source: string): (at: number) => number {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (at) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
