import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ExtendedToolId, extendedTools, needOfTool } from '@stoa/contract';
import { type Answer, type JsonRecord, jsonOf, recordOf, recordsAt, textAt } from '../support/answer.ts';
import { assertStatus } from '../support/expect.ts';
import type { McpEra } from '../support/mcp-client.ts';
import { assertRefusal } from '../support/refusal.ts';
import { useOwnService } from '../support/target.ts';
import { badKey, notSignedIn, type Refusal } from './credential-refusals.ts';
import { type CallerTitle, type CredentialHeaders, makeCallers } from './make-callers.ts';
import { type NarrowRefusals, narrowRefusals } from './narrow-refusals.ts';
import { mcpEras, pathOfTool, toolRequest } from './tool-request.ts';
import { toolSamples } from './tool-samples.ts';

/** Every credential on every tool: the exact response (interface: mcp, Tool sets; access, Kinds of key). */
const { service, client: server } = await useOwnService();
const { home, callers } = await makeCallers(service, server);

/** The response of the MCP server to a credential: only a key opens it, and then each tool decides. */
type ToldByTools =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | {
      readonly kind: 'opened';
      readonly key: 'account-wide' | 'scoped';
      /** The error of every tool of the workspace; null where they let the key through. */
      readonly refusal: string | null;
      /** The errors of a narrow key, for a tool that needs more access. */
      readonly beyond: NarrowRefusals;
      /** The errors of a key with a path, for a sample that writes outside of it. */
      readonly outside: Readonly<Partial<Record<ExtendedToolId, string>>>;
    };

const refusedBy = (refusal: Refusal): ToldByTools => ({ kind: 'refused', refusal });
const openedBy = (
  key: 'account-wide' | 'scoped',
  refusal: string | null = null,
  beyond: NarrowRefusals = {},
  outside: Readonly<Partial<Record<ExtendedToolId, string>>> = {},
): ToldByTools => ({ kind: 'opened', key, refusal, beyond, outside });
const byMembersKey = openedBy('account-wide');
const byOutsidersKey = openedBy('account-wide', 'Not a workspace member');

const columns: Readonly<Record<CallerTitle, ToldByTools>> = {
  nothing: refusedBy(notSignedIn),
  'a key': byMembersKey,
  'a session': refusedBy(notSignedIn),
  'a key with a session': byMembersKey,
  'an outsider’s key with a member’s session': byOutsidersKey,
  'a revoked key with a session': refusedBy(badKey('KEY_NOT_FOUND')),
  'an empty key with a session': refusedBy(badKey('INVALID_API_KEY')),
  'a key as Bearer': refusedBy(notSignedIn),
  'a key as Bearer with the key': byMembersKey,
  'a key as Bearer with a session': refusedBy(notSignedIn),
  'a key for this workspace': openedBy('scoped'),
  'a key for another workspace': openedBy('scoped', 'Key is not scoped to this workspace'),
  'an unknown key': refusedBy(badKey('INVALID_API_KEY')),
  'a revoked key': refusedBy(badKey('KEY_NOT_FOUND')),
  'a key that reads': openedBy('account-wide', null, narrowRefusals.reads),
  'a key that comments': openedBy('scoped', null, narrowRefusals.comments),
  'a key for a file': openedBy('scoped', null, narrowRefusals.inPlace, {
    moveFile: 'This key reaches none.md only: nothing can be written outside it.',
  }),
  'a key that reads a file': openedBy('scoped', null, narrowRefusals.reads),
  'an expired key': refusedBy(badKey('KEY_EXPIRED')),
  'a disabled key': refusedBy(badKey('KEY_DISABLED')),
  'an outsider’s key': byOutsidersKey,
  'an outsider’s session': refusedBy(notSignedIn),
  'a removed member’s session': refusedBy(notSignedIn),
  'a removed member’s key': byOutsidersKey,
  'a removed member’s key for this workspace': refusedBy(badKey('KEY_NOT_FOUND')),
  'a session that was never there': refusedBy(notSignedIn),
};

test('every tool has a row in the matrix', () => {
  assert.deepEqual(Object.keys(toolSamples).sort(), Object.keys(extendedTools).sort());
});

const toolIds = Object.keys(extendedTools).filter((id): id is ExtendedToolId => id in extendedTools);
for (const title of Object.keys(columns).filter((title): title is CallerTitle => title in callers)) {
  test(`${title}, on every tool`, { timeout: 600_000 }, async () => {
    for (const id of toolIds) {
      try {
        for (const era of mcpEras) await assertToolTold(id, callers[title], columns[title], era);
      } catch (error) {
        throw new Error(id, { cause: error });
      }
    }
  });
}

async function assertToolTold(
  id: ExtendedToolId,
  headers: CredentialHeaders,
  told: ToldByTools,
  era: McpEra,
) {
  const { name, reach } = extendedTools[id];
  const sample = toolSamples[id];
  const call = (given: JsonRecord) => sendCall(id, given, headers, era);
  const named = { ...sample.arguments, workspaceId: home.id };
  if (told.kind === 'refused') {
    const [status, says, data] = told.refusal;
    assertRefusal(await call(named), status, { says, data });
    return;
  }
  const within = told.beyond[needOfTool(extendedTools[id])] ?? told.outside[id] ?? sample.refusal;
  if (reach === 'account') {
    const answer = await call(sample.arguments);
    if (told.key === 'account-wide') return assertResult(answer, within);
    const { code, message } = recordOf(jsonOf(answer).error);
    const says = `${name} is for account-wide keys: this key is scoped to one workspace`;
    return assert.deepEqual([code, message], [-32602, says]);
  }
  assertResult(await call(named), told.refusal ?? within);
  // A scoped key acts in its workspace without naming it.
  if (told.key === 'scoped') assertResult(await call(sample.arguments), within);
  else assertResult(await call(sample.arguments), nameOne);
  assertResult(await call({ ...sample.arguments, workspaceId: 'none' }), 'Workspace not found');
}

const nameOne = 'workspaceId is missing: it must be the id of a workspace, which list_workspaces shows';

function sendCall(id: ExtendedToolId, given: JsonRecord, headers: CredentialHeaders, era?: McpEra) {
  const request = toolRequest(extendedTools[id].name, given, era);
  return server.send('POST', pathOfTool(id), { ...request, headers: { ...request.headers, ...headers } });
}

/** @param refusal the first part of a hard error, before the next step; null for a success. */
function assertResult(answer: Answer, refusal: string | null): void {
  assertStatus(answer, 200);
  const result = recordOf(jsonOf(answer).result);
  const [text] = recordsAt(result, 'content').map((block) => textAt(block, 'text'));
  const wrong = result.isError === true ? text?.split('. Next: ')[0] : null;
  assert.equal(wrong, refusal, JSON.stringify(result));
}

test('a key lists the workspaces of its owner and no other', async () => {
  for (const [title, expected] of [
    ['a key', ['Home', 'Office']],
    ['an outsider’s key', ['Elsewhere']],
    ['a removed member’s key', ['Elsewhere']],
  ] as const) {
    const answer = await sendCall('listWorkspaces', {}, callers[title]);
    const { structuredContent } = recordOf(jsonOf(answer).result);
    const names = recordsAt(recordOf(structuredContent), 'workspaces').map((each) => textAt(each, 'name'));
    assert.deepEqual(names, expected, title);
  }
});
