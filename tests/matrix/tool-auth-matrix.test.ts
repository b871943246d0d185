import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ExtendedToolId, extendedTools, needOfTool } from '@stoa/contract';
import { assertRejection } from '../support/error.ts';
import { assertStatus } from '../support/expect.ts';
import type { McpEra } from '../support/mcp-client.ts';
import {
  type HttpResponse,
  type JsonRecord,
  jsonOf,
  recordOf,
  recordsAt,
  textAt,
} from '../support/response.ts';
import { useOwnService } from '../support/target.ts';
import { badKey, notSignedIn, type Rejection } from './credential-errors.ts';
import { type CallerTitle, type CredentialHeaders, makeCallers } from './make-callers.ts';
import { type NarrowErrors, narrowErrors } from './narrow-errors.ts';
import { mcpEras, pathOfTool, toolRequest } from './tool-request.ts';
import { toolSamples } from './tool-samples.ts';

/** Every credential on every tool: the exact response (interface: mcp, Tool sets; access, Kinds of key). */
const { service, client: server } = await useOwnService();
const { home, callers } = await makeCallers(service, server);

/** The response of the MCP server to a credential: only a key opens it, and then each tool decides. */
type RevealedByTools =
  | { readonly kind: 'refused'; readonly rejection: Rejection }
  | {
      readonly kind: 'opened';
      readonly key: 'account-wide' | 'scoped';
      /** The error of every tool of the workspace; null where they let the key through. */
      readonly rejection: string | null;
      /** The errors of a narrow key, for a tool that needs more access. */
      readonly beyond: NarrowErrors;
      /** The errors of a key with a path, for a sample that writes outside of it. */
      readonly outside: Readonly<Partial<Record<ExtendedToolId, string>>>;
    };

const rejectedBy = (error: Rejection): RevealedByTools => ({ kind: 'refused', rejection: error });
const openedBy = (
  key: 'account-wide' | 'scoped',
  error: string | null = null,
  beyond: NarrowErrors = {},
  outside: Readonly<Partial<Record<ExtendedToolId, string>>> = {},
): RevealedByTools => ({ kind: 'opened', key, rejection: error, beyond, outside });
const byMembersKey = openedBy('account-wide');
const byOutsidersKey = openedBy('account-wide', 'Not a workspace member');

const columns: Readonly<Record<CallerTitle, RevealedByTools>> = {
  nothing: rejectedBy(notSignedIn),
  'a key': byMembersKey,
  'a session': rejectedBy(notSignedIn),
  'a key with a session': byMembersKey,
  'an outsider’s key with a member’s session': byOutsidersKey,
  'a revoked key with a session': rejectedBy(badKey('KEY_NOT_FOUND')),
  'an empty key with a session': rejectedBy(badKey('INVALID_API_KEY')),
  'a key as Bearer': rejectedBy(notSignedIn),
  'a key as Bearer with the key': byMembersKey,
  'a key as Bearer with a session': rejectedBy(notSignedIn),
  'a key for this workspace': openedBy('scoped'),
  'a key for another workspace': openedBy('scoped', 'Key is not scoped to this workspace'),
  'an unknown key': rejectedBy(badKey('INVALID_API_KEY')),
  'a revoked key': rejectedBy(badKey('KEY_NOT_FOUND')),
  'a key that reads': openedBy('account-wide', null, narrowErrors.reads),
  'a key that comments': openedBy('scoped', null, narrowErrors.comments),
  'a key for a file': openedBy('scoped', null, narrowErrors.inPlace, {
    moveFile: 'This key reaches none.md only: nothing can be written outside it.',
  }),
  'a key that reads a file': openedBy('scoped', null, narrowErrors.reads),
  'an expired key': rejectedBy(badKey('KEY_EXPIRED')),
  'a disabled key': rejectedBy(badKey('KEY_DISABLED')),
  'an outsider’s key': byOutsidersKey,
  'an outsider’s session': rejectedBy(notSignedIn),
  'a removed member’s session': rejectedBy(notSignedIn),
  'a removed member’s key': byOutsidersKey,
  'a removed member’s key for this workspace': rejectedBy(badKey('KEY_NOT_FOUND')),
  'a session that was never there': rejectedBy(notSignedIn),
};

test('every tool has a row in the matrix', () => {
  assert.deepEqual(Object.keys(toolSamples).sort(), Object.keys(extendedTools).sort());
});

const toolIds = Object.keys(extendedTools).filter((id): id is ExtendedToolId => id in extendedTools);
for (const title of Object.keys(columns).filter((title): title is CallerTitle => title in callers)) {
  test(`${title}, on every tool`, { timeout: 600_000 }, async () => {
    for (const id of toolIds) {
      try {
        for (const era of mcpEras) await assertToolRevealed(id, callers[title], columns[title], era);
      } catch (error) {
        throw new Error(id, { cause: error });
      }
    }
  });
}

async function assertToolRevealed(
  id: ExtendedToolId,
  headers: CredentialHeaders,
  reported: RevealedByTools,
  era: McpEra,
) {
  const { name, reach } = extendedTools[id];
  const sample = toolSamples[id];
  const call = (given: JsonRecord) => sendCall(id, given, headers, era);
  const named = { ...sample.arguments, workspaceId: home.id };
  if (reported.kind === 'refused') {
    const [status, says, data] = reported.rejection;
    assertRejection(await call(named), status, { says, data });
    return;
  }
  const within = reported.beyond[needOfTool(extendedTools[id])] ?? reported.outside[id] ?? sample.rejection;
  if (reach === 'account') {
    const response = await call(sample.arguments);
    if (reported.key === 'account-wide') return assertResult(response, within);
    const { code, message } = recordOf(jsonOf(response).error);
    const says = `${name} is for account-wide keys: this key is scoped to one workspace`;
    return assert.deepEqual([code, message], [-32602, says]);
  }
  assertResult(await call(named), reported.rejection ?? within);
  // A scoped key acts in its workspace without naming it.
  if (reported.key === 'scoped') assertResult(await call(sample.arguments), within);
  else assertResult(await call(sample.arguments), nameOne);
  assertResult(await call({ ...sample.arguments, workspaceId: 'none' }), 'Workspace not found');
}

const nameOne = 'workspaceId is missing: it must be the id of a workspace, which list_workspaces shows';

function sendCall(id: ExtendedToolId, given: JsonRecord, headers: CredentialHeaders, era?: McpEra) {
  const request = toolRequest(extendedTools[id].name, given, era);
  return server.send('POST', pathOfTool(id), { ...request, headers: { ...request.headers, ...headers } });
}

/** @param refusal the first part of a hard error, before the next step; null for a success. */
function assertResult(response: HttpResponse, error: string | null): void {
  assertStatus(response, 200);
  const result = recordOf(jsonOf(response).result);
  const [text] = recordsAt(result, 'content').map((block) => textAt(block, 'text'));
  const wrong = result.isError === true ? text?.split('. Next: ')[0] : null;
  assert.equal(wrong, error, JSON.stringify(result));
}

test('a key lists the workspaces of its owner and no other', async () => {
  for (const [title, expected] of [
    ['a key', ['Home', 'Office']],
    ['an outsider’s key', ['Elsewhere']],
    ['a removed member’s key', ['Elsewhere']],
  ] as const) {
    const response = await sendCall('listWorkspaces', {}, callers[title]);
    const { structuredContent } = recordOf(jsonOf(response).result);
    const names = recordsAt(recordOf(structuredContent), 'workspaces').map((each) => textAt(each, 'name'));
    assert.deepEqual(names, expected, title);
  }
});
