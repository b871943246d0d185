import assert from 'node:assert/strict';
import type { McpClient, ToolResult } from './mcp-client.ts';
import { sizeFrom } from './random.ts';
import { integerAt } from './response.ts';
import { dataOf } from './tool-result.ts';

/** Rounds of several concurrent edits of one file; a full run has 1000. */
export const editRounds = sizeFrom('STOA_EDIT_ROUNDS', 3);
/** Two nodes compete for a file: after eight tries an edit must call again. */
const callsMax = 50;
/** One node queues its edits. On a busy machine a caller may get the error only after this wait. */
const roundMs = 8_000;

/**
 * In each round every editor edits its own line at once, based on the version before the round. At the end of
 * the round the file must have all edits, read from anywhere.
 * @param places the clients of the editors, in rotation; all of them see the same files.
 * @param options.padding text after the edited lines in every version.
 */
export async function playEditRounds(
  locations: readonly { readonly mcp: McpClient; readonly contentOf: (path: string) => Promise<string> }[],
  {
    path,
    editors,
    rounds,
    padding = '',
  }: { path: string; editors: number; rounds: number; padding?: string },
): Promise<void> {
  const locationOf = (round: number) => locations[round % locations.length] ?? assert.fail('no client');
  const lines = Array.from({ length: editors }, (_, i) => `Line of editor ${i}, round 0.\n`);
  await dataOf(locationOf(0).mcp, 'write_file', { path, content: lines.join('') + padding });
  let version = 1;
  for (let round = 1; round <= rounds; round += 1) {
    const baseVersion = version;
    const responses = await Promise.all(
      lines.map((_, i) => {
        const oldText = `editor ${i}, round ${round - 1}.`;
        const newText = `editor ${i}, round ${round}.`;
        const edit = { path, edits: [{ oldText, newText }], baseVersion };
        const call = () => locationOf(i).mcp.call('edit_file', edit);
        return untilTaken(call, locations.length === 1 ? roundMs : 0);
      }),
    );
    for (const { data, text } of responses) assert.equal(data.ok, true, text);
    version += editors;
    assert.equal(Math.max(...responses.map(({ data }) => integerAt(data, 'version'))), version);
    const expected = lines.map((line) => line.replace('round 0', `round ${round}`)).join('');
    for (const { contentOf } of locations) assert.equal(await contentOf(path), expected + padding);
  }
}

/** Repeats a call that changed nothing. Fails when that error came before `waitedMsMin`. */
export async function untilTaken(
  call: () => Promise<ToolResult>,
  waitedMsMin: number = roundMs,
): Promise<ToolResult> {
  for (let calls = 1; ; calls += 1) {
    const calledAt = performance.now();
    const response = await call();
    if (!response.isError || calls === callsMax) return response;
    assert.match(response.text, /^Nothing was changed: too many edits are running\. Call again/);
    const waitedMs = performance.now() - calledAt;
    assert.ok(waitedMs >= waitedMsMin, `asked to call again after ${waitedMs} ms, before the wait was over`);
  }
}
