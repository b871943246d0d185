import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ExtendedToolId, extendedTools } from '@stoa/contract';
import { assertStatus } from '../support/expect.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { type McpEra, mcpPath } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import {
  type HttpResponse,
  type JsonRecord,
  jsonOf,
  recordOf,
  recordsAt,
  textAt,
} from '../support/response.ts';
import { useOwnService } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { comparableToolResponse } from './comparable-tool-response.ts';
import { type HiddenThing, keyFolder, outsideSituations } from './hidden-situations.ts';
import {
  askedHere,
  assertFreeOf,
  assertOwnerSees,
  makeThing,
  neverMade,
  others,
  situationSeed,
  situationsHere,
  type Twins,
} from './hidden-twins.ts';
import { type ToolProbe, toolPrivacyProbes } from './tool-privacy-probes.ts';
import { mcpEras, pathOfTool, toolRequest } from './tool-request.ts';

/**
 * The matrix of privacy for tools. Two workspaces look the same to others, and one of them also has a private
 * item. Both give the agent of another user the same responses, texts included. Where the interface itself
 * distinguishes a hidden item from a missing one, the response is the error for a missing file, to the byte.
 */
const { service, client: server } = await useOwnService({ STOA_LOG_LEVEL: 'info' });
const ada = await signUp(server, 'Ada');
const ben = await signUp(server, 'Ben');
const eve = await signUp(server, 'Eve');
const rex = await signUp(server, 'Rex');
const [bensKey, evesKey, rexesKey] = [await createKey(ben), await createKey(eve), await createKey(rex)];

/** Another user's key, in both workspaces. */
interface Other extends Twins {
  readonly title: string;
  readonly isMember: boolean;
  /** A scoped key need not name the workspace. */
  readonly namesWorkspace: boolean;
}

test('every tool has a row in the matrix', (t) => {
  t.diagnostic(`STOA_MATRIX_SEED=${situationSeed}`);
  assert.deepEqual(Object.keys(toolPrivacyProbes).sort(), Object.keys(extendedTools).sort());
  for (const [id, row] of Object.entries(toolPrivacyProbes)) {
    const lies = extendedTools[id as ExtendedToolId].reach === 'workspace';
    assert.equal(row.kind, lies ? 'asks' : 'names_nothing', `${id}, by where it acts`);
  }
});

for (const situation of situationsHere()) {
  test(`${others} learns from no tool of ${situation.title}`, { timeout: 600_000 }, async (t) => {
    const twins = { real: await createWorkspace(ada), twin: await createWorkspace(ada) };
    const things: HiddenThing[] = [];
    for (const [number, other] of askedHere(await othersOf(twins)).entries()) {
      await t.test(`${other.title} learns nothing`, async () => {
        const thing = await makeThing(situation, twins, number);
        things.push(thing);
        await assertOwnerSees(situation, twins.real, thing);
        await assertNothingRevealed(other, thing, situation.revokes);
        // All items are still there: callers that cannot see them removed none.
        await assertOwnerSees(situation, twins.real, thing);
      });
    }
    const log = service.log();
    assert.ok(log.includes(mcpPath), 'nothing was logged');
    for (const { nameCanary, contentCanary } of things) {
      assertFreeOf(log, nameCanary);
      assertFreeOf(log, contentCanary);
    }
  });
}

for (const situation of outsideSituations) {
  test(`a key for a folder learns nothing of ${situation.title}`, { timeout: 600_000 }, async () => {
    const twins = { real: await createWorkspace(ada), twin: await createWorkspace(ada) };
    const keyOf = async (workspace: WorkspaceClient) => {
      assertStatus(await workspace.put(`${keyFolder}/plan.txt`, 'Seen by the key'), 201);
      return workspace.as((await createKey(ada, { workspaceId: workspace.id, path: keyFolder })).client);
    };
    const [real, twin] = [await keyOf(twins.real), await keyOf(twins.twin)];
    const thing = await makeThing(situation, twins, 0);
    await assertNothingRevealed(
      { title: aKey, isMember: true, namesWorkspace: false, real, twin },
      thing,
      false,
    );
    assert.ok((await twins.real.get(thing.path)).bytes.includes(thing.contentCanary));
  });
}

async function othersOf({ real, twin }: Twins): Promise<readonly Other[]> {
  for (const workspace of [real, twin]) {
    await joinWorkspace(workspace, ada, ben);
    await joinWorkspace(workspace, ada, rex);
    assertStatus(await workspace.send('DELETE', `/members/${rex.id}`), 204);
  }
  const as = (title: string, isMember: boolean, { client }: typeof bensKey): Other => ({
    title,
    isMember,
    namesWorkspace: true,
    real: real.as(client),
    twin: twin.as(client),
  });
  const scopedTo = async (workspace: WorkspaceClient) =>
    workspace.as((await createKey(ben, { workspaceId: workspace.id })).client);
  return [
    as('another member’s key', true, bensKey),
    {
      title: 'another member’s key for this workspace',
      isMember: true,
      namesWorkspace: false,
      real: await scopedTo(real),
      twin: await scopedTo(twin),
    },
    as('an outsider’s key', false, evesKey),
    as('a removed member’s key', false, rexesKey),
  ];
}

/** The same for each path outside a key's folder, so it reveals none of them. */
const outsideOfKey = `This key reaches ${keyFolder}/ only: nothing can be written outside it.`;
const aKey = 'a key';

/** Removes the lines of `catch_up` for lost paths, which the interface reports to the members who lost them. */
function withoutLostPaths(response: HttpResponse): HttpResponse {
  const lines = /\\nx [^"\\]* you no longer see it, [^"\\]*/g;
  const whole = response.bytes.toString();
  const lost = whole.match(lines)?.length ?? 0;
  const text = whole.replace(lines, '').replace(/(\d+) files? changed by others/, (_, count: string) => {
    const left = Number(count) - lost;
    return `${left} ${left === 1 ? 'file' : 'files'} changed by others`;
  });
  return { ...response, bytes: Buffer.from(text) };
}

async function assertNothingRevealed(other: Other, thing: HiddenThing, revokes: boolean): Promise<void> {
  const ask = async (id: ExtendedToolId, { given, distinguished }: ToolProbe, era: McpEra) => {
    const whole = await call(other, 'real', id, given, era);
    const response = revokes && id === 'catchUp' ? withoutLostPaths(whole) : whole;
    if (other.title === aKey && distinguished !== undefined && errorOf(response) === outsideOfKey) return;
    assertFreeOf(response.bytes.toString(), thing.contentCanary);
    if (!JSON.stringify(given).includes(thing.nameCanary)) {
      assertFreeOf(response.bytes.toString(), thing.nameCanary);
    }
    if (!other.isMember) assert.match(errorOf(response) ?? '', /^Not a workspace member\b/);
    else if (distinguished !== undefined) {
      if (id === 'getUsage') return assert.equal(errorOf(response), null);
      const absent = await call(other, 'real', 'readFile', { path: `${thing.cell}/never.md` }, era);
      assert.match(errorOf(absent) ?? '', /^File not found\b/);
      return assert.equal(response.bytes.toString(), absent.bytes.toString());
    }
    const there = await call(other, 'twin', id, inTwin(given, thing), era);
    const absent = revokes && id === 'catchUp' ? withoutLostPaths(there) : there;
    // Only lost paths were news. Without them a header remains that the twin does not have.
    if (whole !== response && /\b0 files changed by others[^\n]*Workspace\."/.test(response.bytes.toString()))
      return;
    const ids = [thing.threadId, thing.shareId].filter((id) => id !== null);
    assert.deepEqual(
      comparableToolResponse(response, [other.real.id, ...ids]),
      comparableToolResponse(absent, [other.twin.id, ...ids.map(neverMade)]),
    );
  };
  // The second round shows effects of the first.
  for (const era of mcpEras) {
    for (const [id, row] of Object.entries(toolPrivacyProbes)) {
      for (const probe of row.kind === 'asks' ? row.probes(thing) : []) {
        try {
          await ask(id as ExtendedToolId, probe, era);
        } catch (error) {
          throw new Error(`${id} ${JSON.stringify(probe.given)}, ${era}`, { cause: error });
        }
      }
    }
  }
}

function call(
  other: Other,
  where: keyof Twins,
  tool: ExtendedToolId,
  given: JsonRecord,
  era: McpEra,
): Promise<HttpResponse> {
  const { id, credentials } = other[where];
  const named = other.namesWorkspace ? { workspaceId: id, ...given } : given;
  return server
    .as(credentials)
    .send('POST', pathOfTool(tool), toolRequest(extendedTools[tool].name, named, era));
}

/** The text of a hard error; null for a success. */
function errorOf(response: HttpResponse): string | null {
  assertStatus(response, 200);
  const result = recordOf(jsonOf(response).result);
  if (result.isError !== true) return null;
  const [block] = recordsAt(result, 'content');
  return textAt(recordOf(block), 'text');
}

/** The server makes ids, so in the twin the same call names an id that never existed. */
function inTwin(given: JsonRecord, { threadId, shareId }: HiddenThing): JsonRecord {
  const made = new Set([threadId, shareId]);
  return JSON.parse(JSON.stringify(given), (_, value: unknown) =>
    typeof value === 'string' && made.has(value) ? neverMade(value) : value,
  );
}
