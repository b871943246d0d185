import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RouteId, routes } from '@stoa/contract';
import { assertRejection } from '../support/error.ts';
import { assertStatus } from '../support/expect.ts';
import type { HttpClient } from '../support/http-client.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { createKey, signUp } from '../support/people.ts';
import { type HttpResponse, jsonOf, recordsAt, textAt } from '../support/response.ts';
import { useOwnService } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { type ComparableResponse, comparableResponse } from './comparable-response.ts';
import { type HiddenThing, keyFolder, outsideSituations, type Situation } from './hidden-situations.ts';
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
import { type Probe, privacyProbes } from './privacy-probes.ts';

/**
 * Two workspaces look the same to others, but in one of them a member also has a private item. Both must give
 * every other user the same response, to the byte. Where the interface itself distinguishes a hidden item from a
 * missing one, the probe says so. The response must then be the error for a missing file.
 */
const { service, client: server } = await useOwnService({ STOA_LOG_LEVEL: 'info' });
const ada = await signUp(server, 'Ada');
const ben = await signUp(server, 'Ben');
const eve = await signUp(server, 'Eve');
const rex = await signUp(server, 'Rex');
const rexesKey = await createKey(rex);

/** Another user, in both workspaces. */
interface Other extends Twins {
  readonly title: string;
  readonly isMember: boolean;
}

test('every route has a row in the matrix', (t) => {
  t.diagnostic(`STOA_MATRIX_SEED=${situationSeed}`);
  const rows = new Set(Object.keys(privacyProbes));
  assert.deepEqual(
    Object.keys(routes).filter((id) => !rows.has(id)),
    [],
    'say in privacy-probes.ts how these could reveal a hidden item',
  );
  assert.deepEqual(
    [...rows].filter((id) => !(id in routes)),
    [],
  );
  for (const [id, row] of Object.entries(privacyProbes)) {
    const route = routes[id as RouteId];
    if (route.access.startsWith('workspace')) assert.equal(row.kind, 'asks', `${id} lies in a workspace`);
  }
});

const allCanaries: { readonly thing: HiddenThing; readonly revokes: boolean }[] = [];

for (const situation of situationsHere()) {
  test(`${others} learns nothing of ${situation.title}`, { timeout: 600_000 }, async (t) => {
    const twins = { real: await createWorkspace(ada), twin: await createWorkspace(ada) };
    for (const [number, other] of askedHere(await othersOf(twins)).entries()) {
      await t.test(`${other.title} learns nothing`, async () => {
        const thing = await makeThing(situation, twins, number);
        allCanaries.push({ thing, revokes: situation.revokes });
        await assertOwnerSees(situation, twins.real, thing);
        // First, because later requests of members may end the link.
        await assertLinkRevealsNothing(other, thing);
        await assertNothingRevealed(situation, other, thing);
      });
    }
    await t.test('a later member learns nothing from the whole feed', async () => {
      const late = await joinWorkspace(twins.real, ada, await signUp(server, 'Lena'));
      for (const includeComments of ['0', '1']) {
        for (const location of [{ sinceSeq: 0 }, { since: '2000-01-01T00:00:00Z' }]) {
          const page = await late.query('changes', { ...location, limit: 1000, includeComments });
          assertStatus(page, 200);
          for (const { thing } of allCanaries) assertFreeOf(page.bytes.toString(), thing.nameCanary);
        }
      }
    });
    const log = service.log();
    assert.ok(log.includes('"request'), 'nothing was logged');
    for (const { thing } of allCanaries) {
      assertFreeOf(log, thing.nameCanary);
      assertFreeOf(log, thing.contentCanary);
    }
  });
}

for (const situation of outsideSituations) {
  test(`a key for a folder learns nothing of ${situation.title}`, { timeout: 600_000 }, async (t) => {
    const twins = { real: await createWorkspace(ada), twin: await createWorkspace(ada) };
    for (const workspace of Object.values(twins)) {
      await joinWorkspace(workspace, ada, ben);
      assertStatus(await workspace.put(`${keyFolder}/plan.txt`, 'Seen by the key'), 201);
    }
    for (const [number, person] of [ada, ben].entries()) {
      await t.test(`the key of ${person.name} learns nothing`, async () => {
        const keyOf = async (workspace: WorkspaceClient) =>
          workspace.as((await createKey(person, { workspaceId: workspace.id, path: keyFolder })).client);
        const [real, twin] = [await keyOf(twins.real), await keyOf(twins.twin)];
        const other = { title: person.name, isMember: true, real, twin };
        const thing = await makeThing(situation, twins, number);
        await assertNothingRevealed(situation, other, thing);
        // Files outside count for others, and not for this key.
        const used = await Promise.all([real, twin].map(async (key) => jsonOf(await key.query('usage'))));
        assert.deepEqual(used[0], used[1]);
        assert.equal(used[0]?.usedFiles, 1);
        assert.ok((await twins.real.get(thing.path)).bytes.includes(thing.contentCanary));
      });
    }
  });
}

async function othersOf({ real, twin }: Twins): Promise<readonly Other[]> {
  const as = (title: string, isMember: boolean, inReal: HttpClient, inTwin: HttpClient = inReal): Other => ({
    title,
    isMember,
    real: real.as(inReal),
    twin: twin.as(inTwin),
  });
  for (const workspace of [real, twin]) {
    await joinWorkspace(workspace, ada, ben);
    await joinWorkspace(workspace, ada, rex);
    assertStatus(await workspace.send('DELETE', `/members/${rex.id}`), 204);
  }
  const scoped = await Promise.all(
    [real, twin].map(async ({ id }) => (await createKey(ben, { workspaceId: id })).client),
  );
  return [
    as('another member', true, ben.session),
    as('another member’s key for this workspace', true, scoped[0] ?? server, scoped[1] ?? server),
    as('an outsider', false, eve.session),
    as('a removed member', false, rex.session),
    as('a removed member’s key', false, rexesKey.client),
  ];
}

async function assertNothingRevealed(situation: Situation, other: Other, thing: HiddenThing): Promise<void> {
  const ask = async (id: string, probe: Probe) => {
    const title = `${id}: ${probe.method} ${probe.target}`;
    const response = await other.real.send(probe.method, probe.target, probe.request);
    const seen = seenBy(other.real, situation, response, thing);
    const request = decodeURIComponent(`${probe.target} ${JSON.stringify(probe.request ?? {})}`);
    assertFreeOf(
      response.bytes.toString('latin1') + JSON.stringify([...response.headers]),
      thing.contentCanary,
    );
    if (!request.includes(thing.nameCanary)) assertFreeOf(JSON.stringify(seen), thing.nameCanary);
    if (!other.isMember) {
      // Outsiders and removed members, by session or key, always get this error.
      if (probe.method === 'HEAD') assert.equal(response.status, 403, title);
      else assertRejection(response, 403, { says: 'Not a workspace member' });
    } else if (probe.distinguished !== undefined) {
      if (id === 'readUsage') assertStatus(response, 200);
      else assertRejection(response, 404, { says: 'File not found' });
      return;
    }
    const { target } = inTwin(probe, thing);
    const absent = await other.twin.send(probe.method, target, probe.request);
    assert.deepEqual(seen, seenBy(other.twin, situation, absent, thing), title);
  };
  // The second round shows effects of the first. Callers that get the same error for every request, as checked
  // above, need no comparison.
  for (const _round of other.isMember ? [1, 2] : [1]) {
    for (const [id, row] of Object.entries(privacyProbes)) {
      if (row.kind === 'asks') for (const probe of row.probes(thing)) await ask(id, probe);
    }
  }
}

/** The pages and bytes of a link to a folder around the hidden item, also for a caller with only the link. */
async function assertLinkRevealsNothing(other: Other, { links, cell, path, ...thing }: HiddenThing) {
  if (links === null) return;
  const below = [path, `${cell}/${thing.nameCanary}`, `${cell}/seen.md`].map((at) => at.slice(cell.length));
  const addresses = ['', '/content', ...below.flatMap((at) => [`/content${at}`, `/view${at}`])];
  for (const address of addresses) {
    for (const credentials of [other.real.credentials, {}]) {
      const visitor = server.as(credentials);
      const response = await visitor.send('GET', links.real + address);
      const absent = await visitor.send('GET', links.twin + address);
      const seen = comparableResponse(response, ownTexts(links.real, response));
      assert.deepEqual(seen, comparableResponse(absent, ownTexts(links.twin, absent)), address);
      if (address.endsWith('/seen.md') || address === '') assert.equal(response.status, 200, address);
      else assert.equal(response.status, 404, address);
      assertFreeOf(JSON.stringify(seen), thing.nameCanary);
      assertFreeOf(response.bytes.toString('latin1'), thing.contentCanary);
    }
  }
}

/** The link's token, and the proofs of a visit that its pages put into their addresses. */
function ownTexts(linkPath: string, page: HttpResponse): readonly string[] {
  const proofs = page.bytes.toString('latin1').match(/(?<=[?&]v=)[\w.-]+/g) ?? [];
  return [linkPath.split('/').at(-1) ?? '', ...proofs];
}

/** The server makes ids, so in the twin the same request names an id that never existed. */
function inTwin(probe: Probe, { threadId, shareId }: HiddenThing): { readonly target: string } {
  const ids = [threadId, shareId].filter((id) => id !== null);
  const target = ids.reduce((left, id) => left.replace(id, neverMade(id)), probe.target);
  return { target };
}

function seenBy(
  { id }: WorkspaceClient,
  situation: Situation,
  response: HttpResponse,
  thing: HiddenThing,
): ComparableResponse {
  return comparableResponse(situation.revokes ? withoutRevocation(response, thing) : response, [id]);
}

/** A feed without the records that report a lost path to the members who lost it, as the interface allows. */
function withoutRevocation(response: HttpResponse, _thing: HiddenThing): HttpResponse {
  if (response.status !== 200 || !response.bytes.includes('"access_revoked"')) return response;
  const body = jsonOf(response);
  const hidden = new Set(allCanaries.filter(({ revokes }) => revokes).map(({ thing: { path } }) => path));
  const changes = recordsAt(body, 'changes').filter(
    (change) => change.op !== 'access_revoked' || !hidden.has(textAt(change, 'path')),
  );
  return { ...response, bytes: Buffer.from(JSON.stringify({ ...body, changes })) };
}
