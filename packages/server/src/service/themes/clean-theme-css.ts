// CSS gains ways to load something every year, so this is an allow-list, and the output is generated from the parse
// tree.
import { invalidRequest, themeCssMaxBytes, type WorkspaceError } from '@stoa/core';
import {
  type Atrule,
  type Block,
  type CssNode,
  type Declaration,
  fork,
  generate,
  type Rule,
  walk,
} from 'css-tree';
import { isHarmlessText } from './is-harmless-text.ts';
import { nestingDepth } from './nesting-depth.ts';

/** Far beyond what a theme needs, far below the limit of a parser's stack. */
const nestingMax = 32;

const harmlessAtRules: ReadonlySet<string> = new Set([
  'media',
  'supports',
  'container',
  'layer',
  'keyframes',
  '-webkit-keyframes',
]);
/** Old ways to run a script from a style sheet. */
const harmfulProperties: ReadonlySet<string> = new Set(['behavior', '-ms-behavior', '-moz-binding']);
/** Properties that can display text: it could pass for text of the app, such as the author of a note. */
const writingProperties: ReadonlySet<string> = new Set([
  ...['content', 'quotes', 'list-style', 'list-style-type', 'text-overflow', 'block-ellipsis', 'string-set'],
  ...['text-emphasis', 'text-emphasis-style', '-webkit-text-emphasis', '-webkit-text-emphasis-style'],
  ...['hyphenate-character', '-webkit-hyphenate-character'],
]);
const letter = /[\p{Alphabetic}\u{1F1E6}-\u{1F1FF}]/u;
/** Allowed positions: no other can cover the app, its dialogs or its warnings. */
const harmlessPositions: ReadonlySet<string> = new Set(['static', 'relative']);
const propertyShape = /^(?:--[A-Za-z0-9_-]+|-?[A-Za-z][A-Za-z0-9-]*)$/;

/**
 * Regenerates theme CSS from its parse tree, without anything that loads, runs, displays words, or leaves its element.
 * Rules, conditions and values that are not known to be harmless are dropped, and so are comments. Cleaning is
 * idempotent.
 *
 * @returns null when the result is empty.
 * @throws WorkspaceError `invalid_request` when it is nested too deeply to be read, or the output is too large.
 */
export function cleanThemeCss(css: string): string | null {
  if (nestingDepth(css) > nestingMax) {
    throw rejected(`blocks and brackets may be nested at most ${nestingMax} deep`);
  }
  // A new parser each time: one that has read another text may loop forever, because its token buffer keeps the rest.
  const { parse } = fork({});
  const sheet = parse(css, { parseCustomProperty: true });
  if (sheet.type !== 'StyleSheet') throw new Error(`a style sheet was read as ${sheet.type}`);
  sheet.children = sheet.children.filter((node) => isKept(node));
  const text = generate(sheet);
  // Escaping makes characters longer.
  if (Buffer.byteLength(text) > themeCssMaxBytes) {
    throw rejected(`the cleaned CSS has more than ${themeCssMaxBytes} bytes`);
  }
  return text === '' ? null : text;
}

function rejected(reason: string): WorkspaceError {
  return invalidRequest(`themeCss: ${reason}`);
}

/** Whether a node stays; removes its disallowed parts. */
function isKept(node: CssNode): boolean {
  switch (node.type) {
    case 'Rule':
      return isHarmlessPart(node.prelude) && keepsSomething(node.block);
    case 'Atrule':
      return isAtRuleKept(node);
    case 'Declaration':
      return isDeclarationKept(node);
    default:
      return false;
  }
}

function isAtRuleKept({ name, prelude, block }: Atrule): boolean {
  if (!harmlessAtRules.has(name)) return false;
  if (prelude !== null && !isHarmlessPart(prelude)) return false;
  return block === null ? name === 'layer' && prelude !== null : keepsSomething(block);
}

function isDeclarationKept(node: Declaration): boolean {
  const { property, value, important } = node;
  if (!propertyShape.test(property) || harmfulProperties.has(property.toLowerCase())) return false;
  if (typeof important === 'string') return false;
  const text = generate(value);
  if (property.toLowerCase() === 'position' && !harmlessPositions.has(text.toLowerCase())) return false;
  if (writingProperties.has(property.toLowerCase()) && canWriteLetters(value)) return false;
  // A colon in a value indicates the old filters that named a component to load.
  return text !== '' && !text.includes(':') && isHarmlessPart(value);
}

/** Quoted letters, a value from elsewhere, or a counter that is not decimal. */
function canWriteLetters(value: CssNode): boolean {
  let found = false;
  walk(value, (node) => {
    if (node.type === 'String') found ||= letter.test(node.value);
    if (node.type !== 'Function') return;
    const name = node.name.toLowerCase();
    const words = node.children.filter(({ type }) => type === 'Identifier').toArray();
    const style = words.length > 1 ? generate(words[words.length - 1] as CssNode).toLowerCase() : 'decimal';
    found ||= !name.startsWith('counter') || !style.startsWith('decimal');
  });
  return found;
}

function keepsSomething(block: Block): boolean {
  block.children = block.children.filter((node) => isKept(node));
  return !block.children.isEmpty;
}

/** `Raw` is text that the parser skipped without understanding it. */
function isHarmlessPart(part: Rule['prelude'] | CssNode): boolean {
  let isUnderstood = true;
  walk(part, (node) => {
    if (node.type === 'Raw' || node.type === 'Comment') isUnderstood = false;
  });
  return isUnderstood && isHarmlessText(generate(part));
}
