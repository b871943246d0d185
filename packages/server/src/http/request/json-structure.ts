import { jsonDepthMax, jsonValuesMax } from '@stoa/contract';
import { invalidRequest } from '@stoa/core';

/** Looks at the bytes of a JSON text as they arrive, so that what is expensive to parse is refused before it is. */
export interface JsonStructure {
  /** @throws WorkspaceError `invalid_request` once the text so far is nested too deeply or holds too many values. */
  push(chunk: Uint8Array): void;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Counts brackets and commas outside strings: parsing costs far more for each of them than for a byte of a string. One
 * pass that leaps over strings; whether the text is JSON at all is left to the parser.
 */
export function createJsonStructure(): JsonStructure {
  let depth = 0;
  let values = 0;
  let isInString = false;
  /** Whether the text so far ends in a backslash that escapes what follows. */
  let isEscaping = false;

  /** @returns where the string ends, or the chunk. */
  function skipString(chunk: Uint8Array, from: number): number {
    const found = chunk.indexOf(quote, from);
    const end = found === -1 ? chunk.length : found;
    let before = end - 1;
    while (before >= from && chunk[before] === backslash) before -= 1;
    const backslashes = end - 1 - before + (before < from && isEscaping ? 1 : 0);
    const isOdd = backslashes % 2 === 1;
    isEscaping = found === -1 && isOdd;
    isInString = found === -1 || isOdd;
    return end + 1;
  }

  function open(): void {
    depth += 1;
    if (depth > jsonDepthMax)
      throw invalidRequest(`The body is nested more than ${jsonDepthMax} levels deep`);
    count();
  }

  function count(): void {
    values += 1;
    if (values > jsonValuesMax) throw invalidRequest(`The body holds more than ${jsonValuesMax} values`);
  }

  return {
    push(chunk) {
      let at = 0;
      while (at < chunk.length) {
        if (isInString) {
          at = skipString(chunk, at);
          continue;
        }
        switch (chunk[at]) {
          case quote:
            isInString = true;
            break;
          case openBracket:
          case openBrace:
            open();
            break;
          case closeBracket:
          case closeBrace:
            depth -= 1;
            break;
          case comma:
            count();
            break;
        }
        at += 1;
      }
    },
  };
}
