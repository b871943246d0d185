import assert from 'node:assert/strict';
import { integerAt } from './answer.ts';
import type { McpClient, ToolResult } from './mcp-client.ts';
import { sizeFrom } from './random.ts';
import { dataOf } from './tool-result.ts';

/** Rounds of several at once on one file; a full run has 1000. */
export const editRounds = sizeFrom('STOA_EDIT_ROUNDS', 3);
/**
 * Edits of one node take turns, and one that waits for eight seconds is told to call again. Two nodes are in each other's
 * way: so is an edit that came too late eight times.
 */
const callsMax = 50;

/**
 * In each round everybody edits a line of their own at once, knowing the version before the round: all of it must be in the
 * file at the end of the round, wherever it is read.
 * @param places where the editors are, by turns; each knows the same files.
 * @param options.padding stands after the edited lines in every version.
 */
export async function playEditRounds(
  places: readonly { readonly mcp: McpClient; readonly contentOf: (path: string) => Promise<string> }[],
  {
    path,
    editors,
    rounds,
    padding = '',
  }: { path: string; editors: number; rounds: number; padding?: string },
): Promise<void> {
  const placeOf = (turn: number) => places[turn % places.length] ?? assert.fail('no place');
  const lines = Array.from({ length: editors }, (_, i) => `Line of editor ${i}, round 0.\n`);
  await dataOf(placeOf(0).mcp, 'write_file', { path, content: lines.join('') + padding });
  let version = 1;
  for (let round = 1; round <= rounds; round += 1) {
    const baseVersion = version;
    const answers = await Promise.all(
      lines.map((_, i) => {
        const oldText = `editor ${i}, round ${round - 1}.`;
        const newText = `editor ${i}, round ${round}.`;
        const edit = { path, edits: [{ oldText, newText }], baseVersion };
        return untilTaken(() => placeOf(i).mcp.call('edit_file', edit));
      }),
    );
    for (const { data, text } of answers) assert.equal(data.ok, true, text);
    version += editors;
    assert.equal(Math.max(...answers.map(({ data }) => integerAt(data, 'version'))), version);
    const expected = lines.map((line) => line.replace('round 0', `round ${round}`)).join('');
    for (const { contentOf } of places) assert.equal(await contentOf(path), expected + padding);
  }
}

/** Who was told that nothing was changed, since too many others wait or were faster each time, calls again. */
export async function untilTaken(call: () => Promise<ToolResult>): Promise<ToolResult> {
  let answer = await call();
  for (let calls = 1; calls < callsMax && answer.isError; calls += 1) {
    assert.match(answer.text, /^Nothing was changed: too much is being changed at once\. Call again/);
    answer = await call();
  }
  return answer;
}
