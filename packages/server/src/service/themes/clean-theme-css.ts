// docs/decisions/0022-theme-css-and-icons.md
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

/** Far beyond what a theme needs, far below what a parser's stack holds. */
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
/** Where an element stands: nothing that could be laid over the app, its dialogs and warnings included. */
const harmlessPositions: ReadonlySet<string> = new Set(['static', 'relative']);
const propertyShape = /^(?:--[A-Za-z0-9_-]+|-?[A-Za-z][A-Za-z0-9-]*)$/;

/**
 * Theme CSS written anew from what a parser understood of it, without anything that loads, runs, or leaves the element it
 * stands in: rules, conditions and values that are not known to be harmless are dropped, the others stay. Comments go.
 * Cleaning what was cleaned changes nothing.
 *
 * @returns null when nothing is left.
 * @throws WorkspaceError `invalid_request` when it is nested too deeply to be read, or too large when written out.
 */
export function cleanThemeCss(css: string): string | null {
  if (nestingDepth(css) > nestingMax) {
    throw refused(`blocks and brackets may stand in each other ${nestingMax} deep at most`);
  }
  // A parser of its own: one that read another text before may never come to an end (its token buffer keeps the rest).
  const { parse } = fork({});
  const sheet = parse(css, { parseCustomProperty: true });
  if (sheet.type !== 'StyleSheet') throw new Error(`a style sheet was read as ${sheet.type}`);
  sheet.children = sheet.children.filter((node) => isKept(node));
  const text = generate(sheet);
  // Characters that have to be escaped grow.
  if (Buffer.byteLength(text) > themeCssMaxBytes) {
    throw refused(`written out it has more than ${themeCssMaxBytes} bytes`);
  }
  return text === '' ? null : text;
}

function refused(reason: string): WorkspaceError {
  return invalidRequest(`themeCss: ${reason}`);
}

/** Whether a node stays; parts of it that do not stay are taken out. */
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
  // A colon in a value is the mark of the old filters that named a component to load.
  return text !== '' && !text.includes(':') && isHarmlessPart(value);
}

function keepsSomething(block: Block): boolean {
  block.children = block.children.filter((node) => isKept(node));
  return !block.children.isEmpty;
}

/** `Raw` is text that the parser passed over without understanding it. */
function isHarmlessPart(part: Rule['prelude'] | CssNode): boolean {
  let isUnderstood = true;
  walk(part, (node) => {
    if (node.type === 'Raw' || node.type === 'Comment') isUnderstood = false;
  });
  return isUnderstood && isHarmlessText(generate(part));
}
