import assert from 'node:assert/strict';
import type { ToolResult } from '../support/mcp-client.ts';
import type { Via } from './commands.ts';
import type { Expected } from './workspace/responses.ts';

type Facts = readonly unknown[];

/**
 * Compares a result with data: it has exactly these fields, and the text says the same.
 * @param facts the contents of the text, by default the numbers and texts of the data.
 */
export function compareData(
  result: ToolResult,
  data: Readonly<Record<string, unknown>>,
  facts: Facts = Object.values(data).filter((value) => typeof value !== 'boolean' && value !== 'ok'),
): void {
  assert.ok(!result.isError, result.text);
  // Advice may have any words.
  const { next, ...reported } = result.data;
  if (reported.ok === false) assert.equal(typeof next, 'string');
  assert.deepEqual(reported, data);
  assertSays(result, facts);
}

/** Compares a result that is text only. */
export function compareTextOnly(result: ToolResult, facts: Facts): void {
  assert.ok(!result.isError, result.text);
  assert.ok(!result.hasData, 'a tool that returns only text has data');
  assertSays(result, facts);
}

/**
 * Compares the content of a file, or the error of reading it.
 * @param beside `window` for a read of the file itself, which also returns its size and the next offset.
 */
export function compareContent(
  result: ToolResult,
  expected: Expected,
  encoding: Via['encoding'],
  alongside: 'window' | 'nothing',
): void {
  if (expected.status !== 200) {
    compareError(result, expected);
    return;
  }
  const bytes = Buffer.from(expected.bytes ?? '');
  const content = encoding === 'utf8' ? bytes.toString('utf8') : bytes.toString('base64');
  const contentType = expected.headers?.['content-type'];
  const version = Number(expected.headers?.['x-service-version']);
  const window = alongside === 'window' ? { size: bytes.length, nextOffset: null } : {};
  compareData(result, { version, contentType, content, ...window }, [
    `version ${version}`,
    contentType,
    `${bytes.length} bytes`,
    content,
  ]);
}

/** The text of a hard error, by the status of REST for the same error. */
const errors: Readonly<Record<number, RegExp>> = {
  404: /^((File|Version) not found|"[^"]+" is an? (empty )?folder)\b/,
  409: /^("[^"]+" is a (file|folder)|The destination already exists)\b/,
  412: /^Nothing was deleted\b/,
};

/** Compares a hard error: it has a text and no data. */
export function compareError(result: ToolResult, expected: Expected, facts: Facts = []): void {
  const shown = `expected ${expected.status}, got ${JSON.stringify(result).slice(0, 1000)}`;
  assert.ok(result.isError && !result.hasData, shown);
  assert.match(result.text, errors[expected.status] ?? /^$/, shown);
  assertSays(result, facts);
}

function assertSays({ text }: ToolResult, facts: Facts): void {
  for (const fact of facts) assert.ok(text.includes(String(fact)), `the text lacks ${fact}: ${text}`);
}
