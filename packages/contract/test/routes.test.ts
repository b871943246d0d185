import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorsOf, errorTable, type RouteDescriptor, routes } from '@stoa/contract';

const all = Object.entries<RouteDescriptor>(routes);

/** The file, feed, key and workspace routes of the interface, with their access. */
const promised = `
  none GET /api/health
  none GET /api/plans
  none GET /api/sign-up
  none GET /api/openapi.json
  caller GET /api/me
  caller GET /api/workspace
  session GET /api/workspaces
  session POST /api/workspaces
  workspace GET /api/workspaces/{workspaceId}
  workspace PATCH /api/workspaces/{workspaceId}
  workspace GET /api/workspaces/{workspaceId}/usage
  workspace GET /api/workspaces/{workspaceId}/members
  workspace POST /api/workspaces/{workspaceId}/icon
  workspace GET /api/workspaces/{workspaceId}/icon/{contentHash}
  workspace GET /api/workspaces/{workspaceId}/download
  workspace-session GET /api/workspaces/{workspaceId}/export
  workspace-session DELETE /api/workspaces/{workspaceId}/members/{userId}
  workspace-session PATCH /api/workspaces/{workspaceId}/members/{userId}
  workspace-session GET /api/workspaces/{workspaceId}/audit
  workspace-session GET /api/workspaces/{workspaceId}/departed-private
  workspace-session POST /api/workspaces/{workspaceId}/departed-private/reclaim
  session POST /api/invites
  none GET /api/invites/{token}
  session POST /api/invites/{token}/accept
  workspace-session GET /api/workspaces/{workspaceId}/invites
  workspace-session DELETE /api/workspaces/{workspaceId}/invites/{inviteId}
  workspace GET /api/workspaces/{workspaceId}/shares
  workspace POST /api/workspaces/{workspaceId}/shares
  workspace PATCH /api/workspaces/{workspaceId}/shares/{shareId}
  workspace DELETE /api/workspaces/{workspaceId}/shares/{shareId}
  keys POST /api/keys
  keys GET /api/keys
  keys DELETE /api/keys/{keyId}
  none POST /api/device/code
  none GET /api/device/poll
  session POST /api/device/lookup
  session POST /api/device/approve
  session POST /api/device/deny
  workspace GET /api/workspaces/{workspaceId}/files/{path}
  workspace HEAD /api/workspaces/{workspaceId}/files/{path}
  workspace PUT /api/workspaces/{workspaceId}/files/{path}
  workspace DELETE /api/workspaces/{workspaceId}/files/{path}
  workspace GET /api/workspaces/{workspaceId}/list
  workspace POST /api/workspaces/{workspaceId}/move
  workspace POST /api/workspaces/{workspaceId}/move-folder
  workspace POST /api/workspaces/{workspaceId}/resolve-conflict
  workspace GET /api/workspaces/{workspaceId}/version
  workspace GET /api/workspaces/{workspaceId}/versions
  workspace POST /api/workspaces/{workspaceId}/restore
  workspace GET /api/workspaces/{workspaceId}/blame
  workspace POST /api/workspaces/{workspaceId}/undo
  workspace GET /api/workspaces/{workspaceId}/find
  workspace GET /api/workspaces/{workspaceId}/search
  workspace GET /api/workspaces/{workspaceId}/search-content
  workspace GET /api/workspaces/{workspaceId}/comments
  workspace POST /api/workspaces/{workspaceId}/comments
  workspace POST /api/workspaces/{workspaceId}/comments/{threadId}/replies
  workspace PUT /api/workspaces/{workspaceId}/comments/{threadId}/resolved
  workspace GET /api/workspaces/{workspaceId}/comments/{threadId}/pinned-content
  workspace GET /api/workspaces/{workspaceId}/changes
  workspace PUT /api/workspaces/{workspaceId}/node-icon
  workspace PUT /api/workspaces/{workspaceId}/node-private
  workspace PUT /api/workspaces/{workspaceId}/node-order
`
  .trim()
  .split(/\s*\n\s*/);

test('the table has every promised route with its access exactly once', () => {
  const described = all.map(([, { access, method, path }]) => `${access} ${method} ${path}`);
  assert.deepEqual(described.toSorted(), promised.toSorted());
});

test('a route is found by its id', () => {
  for (const [key, { id }] of all) assert.equal(id, key);
});

test('a route that acts in a workspace names it, and no other does', () => {
  for (const [id, { access, path }] of all) {
    assert.equal(path.includes('{workspaceId}'), access.startsWith('workspace'), id);
  }
});

test('an error never has the status of a success', () => {
  for (const [id, route] of all) {
    for (const code of errorsOf(route)) assert(errorTable[code].status >= 400, `${id} ${code}`);
    assert(
      Object.keys(route.responses).some((status) => status < '300'),
      id,
    );
  }
});

test('every route that needs a credential documents the error without one', () => {
  for (const [id, route] of all) {
    assert.equal(errorsOf(route).includes('unauthorized'), route.access !== 'none', id);
  }
});

test('a change with a session cookie can be rejected as cross-site, a read cannot', () => {
  for (const [id, route] of all) {
    const changes = !['GET', 'HEAD'].includes(route.method) && route.access !== 'none';
    assert.equal(errorsOf(route).includes('cross_site_request'), changes, id);
  }
});
