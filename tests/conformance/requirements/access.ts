import { due } from './requirement.ts';

export const access = due('access', {
  'access.key-header': 'A key in x-api-key opens REST and the feed.',
  'access.session': 'A session cookie opens REST.',
  'access.none': 'Without a credential a request is 401.',
  'access.bearer': 'A key sent as Bearer is not a credential: 401.',
  'access.bearer-beside': 'A Bearer header next to a real credential changes nothing.',
  'access.invalid-key': 'A rejected key is 401 with invalid_api_key and a reason.',
  'access.unknown-key': 'An unknown key gives INVALID_API_KEY.',
  'access.deleted-key': 'A deleted key gives KEY_NOT_FOUND.',
  'access.key-decides': 'With key and cookie together the key decides who acts.',
  'access.bad-key-beside-cookie': 'A bad key is rejected even with a good cookie.',
  'access.account-wide': 'An account-wide key reaches every workspace of its person.',
  'access.scoped': 'A scoped key reaches its workspace alone; any other is 403 and says so.',
  'access.not-a-member': 'A workspace of others is 403 and says so, for keys and sessions.',
  'access.unknown-workspace': 'An unknown workspace is 404.',
  'access.order': 'Errors come in order: credential, workspace, membership, path, item.',
  'access.every-route': 'Every workspace route asks for a credential and for membership.',
  'access.cross-site': 'A request that a browser makes for another site with the cookie is rejected.',
  'access.ended-key': 'A change whose key is revoked while it is being sent is 401 and leaves nothing.',
  'access.ended-session':
    'A change whose session signs out while it is being sent is 401 and leaves nothing.',
  'access.ended-held-feed': 'A feed request that is waiting when its key or session ends is 401.',
  'access.session-only': 'A session-only route is 401 without a credential and 403 with a key.',
});

export const keys = due('keys', {
  'keys.create': 'A new key returns id, key, name and actorType, and nothing of a workspace.',
  'keys.create-scoped': 'A scoped key also returns its workspace.',
  'keys.default-name': 'An account-wide key is named service-key by default.',
  'keys.default-name-scoped': 'A scoped key is named service-cli by default.',
  'keys.actor-type': 'An actor type is agent or human.',
  'keys.actor-type-other': 'Any other actor type means human.',
  'keys.scope-membership':
    'A key can be scoped only to a workspace of its person: another is 403, an unknown one 404.',
  'keys.list': 'Keys are listed with their metadata.',
  'keys.list-scope': "A scoped key's metadata names its workspace; an account-wide one's does not.",
  'keys.secret-once': 'The secret is shown at creation and never again.',
  'keys.own': 'A person sees and revokes own keys only.',
  'keys.revoke': 'Revoking returns ok, and the key stops working at once.',
  'keys.revoke-unknown': 'Revoking a key that is not there is 404.',
  'keys.session-only': 'Key management with a key is 403 and says why, valid or not, cookie or not.',
  'keys.no-credential': 'Key management without a credential is 401.',
  'keys.unlimited-rate': 'Keys have no rate limit.',
  'keys.narrow': 'A key takes access, path and expiresInDays.',
  'keys.narrow-listed': "A narrow key's metadata has access, path and expiresAt, each only where it is set.",
  'keys.narrow-refused':
    'An unknown access, an empty path, a path without a workspace, days outside 1 to 3650: 400.',
  'keys.narrow-reads': 'A key that reads changes nothing: the 403 says what the key may do.',
  'keys.narrow-comments':
    'A key that comments starts, replies to and resolves threads, and changes nothing else.',
  'keys.narrow-order': "A narrow key's 403 comes after the reach of the key, and before the path.",
  'keys.narrow-path':
    'A key with a path does not see what is outside it: list, read, search, comments, usage.',
  'keys.narrow-outside':
    'Over MCP a write outside of the path says what the key reaches, in the same words for every path.',
  'keys.narrow-workspace':
    'A key with a path, or with less than write, changes nothing of the workspace itself.',
  'keys.narrow-feed':
    'In its feed a file that leaves the path is a delete, and one that enters is a move without movedFrom.',
  'keys.narrow-file':
    'A lost write of a key for one file is kept as a copy, and the response names its path.',
  'keys.narrow-links': 'A key with a path opens only member links inside that path.',
  'keys.narrow-tools': 'A tool that a key can never use is not listed to it; a call of it says so.',
  'keys.narrow-own': 'GET /api/workspace shows a narrow key its limits.',
  'keys.narrow-never-wider': 'A key creates no key and no invite, and approves no device.',
});

export const keysOfRemoved = due('access', {
  'access.removed-scoped': "A removed member's keys for the workspace are deleted.",
  'access.removed-account-wide': "A removed member's account-wide keys work elsewhere and are 403 here.",
});
