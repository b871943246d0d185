import assert from 'node:assert/strict';
import type { McpClient, ToolResult } from './mcp-client.ts';
import type { JsonRecord } from './response.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** Calls a tool that must return data. Some clients show only the text, so it must contain all of the data. */
export async function dataOf(mcp: McpClient, tool: string, given: Arguments = {}): Promise<JsonRecord> {
  const result = await mcp.call(tool, given);
  const shown = `${tool}: ${JSON.stringify(result)}`;
  assert.equal(result.isError, false, shown);
  assert.ok(result.hasData, shown);
  for (const fact of factsIn(result.data)) {
    assert.ok(result.text.includes(fact), `the text lacks ${fact}: ${shown}`);
  }
  // An outcome that is not ok needs advice on the next step, in any words.
  const { next, ...facts } = result.data;
  if (facts.ok === false) assert.ok(typeof next === 'string' && next.length > 10, shown);
  return facts;
}

/** Calls a tool that must return only text. */
export async function textOf(mcp: McpClient, tool: string, given: Arguments = {}): Promise<string> {
  const result = await mcp.call(tool, given);
  assert.deepEqual([result.isError, result.hasData], [false, false], `${tool}: ${JSON.stringify(result)}`);
  return result.text;
}

/** Asserts a hard error with this message and only text. @returns the text. */
export async function assertHardError(
  mcp: McpClient,
  tool: string,
  given: Arguments,
  says: RegExp,
): Promise<string> {
  const result: ToolResult = await mcp.call(tool, given);
  assert.deepEqual([result.isError, result.hasData], [true, false], `${tool}: ${JSON.stringify(result)}`);
  assert.match(result.text, says, tool);
  return result.text;
}

/** Yields texts and numbers. A text says ok, true, false or null in words. */
function* factsIn(value: unknown): Generator<string> {
  if (typeof value === 'number') yield String(value);
  else if (typeof value === 'string') yield* value === '' || value === 'ok' ? [] : [unescapedPart(value)];
  else if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) yield* factsIn(each);
  }
}

/** A text shows records as JSON, which escapes some characters. The parts between those must be in the text. */
function unescapedPart(text: string): string {
  // The text shows a range of one line as one number: 4-4 as line 4.
  const plain = text.replace(/\b(\d+)-\1\b/g, '$1');
  return plain
    .split(/[\n"\\]/)
    .reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}
