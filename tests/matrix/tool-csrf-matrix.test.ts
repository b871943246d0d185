import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ExtendedToolId, extendedTools } from '@stoa/contract';
import { assertRejection } from '../support/error.ts';
import { assertStatus } from '../support/expect.ts';
import { mcpPath } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { type HttpResponse, jsonOf, recordOf } from '../support/response.ts';
import { useOwnService } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { foreignPages, ownPages, type PageHeaders } from './sending-pages.ts';
import { mcpEras, pathOfTool, toolRequest } from './tool-request.ts';
import { toolSamples } from './tool-samples.ts';

/**
 * Tool calls that a page of another site could make. A cookie opens no tool, from any page. A page that also has
 * a key is rejected by its Origin.
 */
const appUrl = 'https://app.stoa.example';
const { client: server } = await useOwnService({ STOA_APP_URL: appUrl });
const own = new URL(server.url).origin;
const ada = await signUp(server, 'Ada');
const home = await createWorkspace(ada);
const robot = await createKey(ada);
const cookie = { cookie: ada.session.credentials.cookie ?? '' };
const key = { 'x-api-key': robot.secret };
const { 'its own page that hides its Origin': withheld, ...ours } = ownPages(own, appUrl);
const others: Readonly<Record<string, PageHeaders>> = {
  ...foreignPages(own, appUrl),
  // An Origin that is sent must be the service's own. A sandboxed frame, which may show uploaded content, also
  // sends null.
  'a page of ours that withholds its Origin': withheld,
};

const notSignedIn = 'Not signed in: send an API key in the x-api-key header, or sign in';
const foreignOrigin = 'This page is not part of the service: its Origin is rejected';
const toolIds = Object.keys(extendedTools).filter((id): id is ExtendedToolId => id in extendedTools);

for (const id of toolIds) {
  test(`${extendedTools[id].name} is closed to the pages of other sites`, async () => {
    for (const [from, page] of Object.entries(others)) {
      try {
        const says = page.origin === undefined ? notSignedIn : foreignOrigin;
        const status = page.origin === undefined ? 401 : 403;
        for (const response of await callWith(id, { ...cookie, ...page })) {
          assertRejection(response, status, { says });
        }
        for (const response of await callWith(id, { ...cookie, ...key, ...page })) {
          // A request without an Origin comes from a program: no browser adds a key automatically.
          if (page.origin === undefined) assertResponded(response);
          else assertRejection(response, 403, { says: foreignOrigin });
        }
      } catch (error) {
        throw new Error(`from ${from}`, { cause: error });
      }
    }
  });

  test(`${extendedTools[id].name} is opened by a key from our own pages, and never by a cookie`, async () => {
    for (const [from, page] of Object.entries(ours)) {
      try {
        for (const response of await callWith(id, { ...cookie, ...page })) {
          assertRejection(response, 401, { says: notSignedIn });
        }
        for (const response of await callWith(id, { ...key, ...page })) assertResponded(response);
      } catch (error) {
        throw new Error(`from ${from}`, { cause: error });
      }
    }
  });
}

test('a form cannot send a call, even with a key', async () => {
  const { json } = toolRequest('list_workspaces', {});
  const body = JSON.stringify(json);
  const formTypes = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
  for (const type of [null, ...formTypes]) {
    const contentType = type === null ? {} : { 'content-type': type };
    const send = (headers: PageHeaders) =>
      server.send('POST', mcpPath, { body, headers: { ...contentType, ...headers } });
    assertRejection(await send(key), 415);
    assertRejection(await send(cookie), 401);
  }
});

test('only POST is a call', async () => {
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH']) {
    for (const page of Object.values(others)) {
      const response = await server.send(method, mcpPath, { headers: { ...cookie, ...page } });
      assertStatus(response, 405);
    }
  }
});

test('no response lets another site read it', async () => {
  for (const page of [...Object.values(others), ...Object.values(ours)]) {
    for (const response of await callWith('listWorkspaces', { ...key, ...page })) {
      const names = [...response.headers.keys()].filter((name) => name.startsWith('access-control-'));
      assert.deepEqual(names, []);
    }
  }
});

/** The sample of a tool, in both eras of the protocol. */
function callWith(id: ExtendedToolId, headers: PageHeaders): Promise<readonly HttpResponse[]> {
  const { name, reach } = extendedTools[id];
  const given = { ...(reach === 'workspace' ? { workspaceId: home.id } : {}), ...toolSamples[id].arguments };
  return Promise.all(
    mcpEras.map((era) => {
      const request = toolRequest(name, given, era);
      return server.send('POST', pathOfTool(id), { ...request, headers: { ...request.headers, ...headers } });
    }),
  );
}

function assertResponded(response: HttpResponse): void {
  assertStatus(response, 200);
  recordOf(jsonOf(response).result);
}
