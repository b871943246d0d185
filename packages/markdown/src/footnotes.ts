import type { FootnoteDefinition } from 'mdast';
import type { Definition } from './parse-window.ts';

/** Numbers of footnotes, in the order of their first references. */
export interface FootnoteNumbers {
  of(identifier: string): number;
  /** Identifiers by number, from 1. */
  readonly inOrder: readonly string[];
}

export function createNumbers(): FootnoteNumbers {
  const numbers = new Map<string, number>();
  const inOrder: string[] = [];
  return {
    of(identifier: string): number {
      const number = numbers.get(identifier) ?? inOrder.push(identifier);
      numbers.set(identifier, number);
      return number;
    },
    inOrder,
  };
}

export function isFootnote(definition: Definition): definition is FootnoteDefinition {
  return definition.type === 'footnoteDefinition';
}

/**
 * The footnotes in the order of their numbers. Reading one before the next is taken may add numbers: footnotes that only
 * other footnotes refer to come last.
 */
export function* numberedFootnotes(
  { inOrder }: FootnoteNumbers,
  definitions: readonly Definition[],
): Generator<{ readonly number: number; readonly definition: FootnoteDefinition }, void, undefined> {
  const known = new Map(
    definitions
      .filter(isFootnote)
      .toReversed()
      .map((each) => [each.identifier, each]),
  );
  for (const [at, identifier] of inOrder.entries()) {
    const definition = known.get(identifier);
    if (definition !== undefined) yield { number: at + 1, definition };
  }
}
