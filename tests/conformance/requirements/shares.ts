import { due } from './requirement.ts';

export const shares = due('shares', {
  'shares.create': 'A link can be made for a file or folder: 201 with the share.',
  'shares.record': 'A share has all that its makers need, and never its password.',
  'shares.kind': 'The kind is that of the existing item; a missing path is 404.',
  'shares.list': 'The links on a path are listed, apart from those on folders above it.',
  'shares.list-all':
    'Without a path all links to paths that the caller sees are listed, newest first, at most 1,000, with a flag for more.',
  'shares.key-member-only': 'A key makes member links only.',
  'shares.session-only': 'Public links, passwords and scripts take a session: 403 with a key.',
  'shares.scripts-off': 'A key can turn scripts off.',
  'shares.private': 'A private item cannot be shared: 409.',
  'shares.folder-scripts': 'A folder link never runs scripts: 400.',
  'shares.pinned': 'A link can be pinned to a version and hash that agree.',
  'shares.pinned-gone': 'Pinned bytes that are gone are 410.',
  'shares.password': 'A password is asked of everyone and never shown.',
  'shares.password-limit': 'Passwords tried on a link are limited by address: 429.',
  'shares.member': 'A member link opens for members only.',
  'shares.in-app':
    'A page of a member link that was opened with a session leads to the same path in the app; no other page does.',
  'shares.unknown-type':
    'A file whose stored type is unspecific is shown and served by the type of its extension, under the same rules.',
  'shares.front-matter':
    'A page omits valid front matter, and shows any other text between two rules at the top.',
  'shares.public': 'A public link opens for anyone.',
  'shares.folder': 'A folder link opens only paths below the folder.',
  'shares.patch': 'Scripts can be switched: 200 with the share.',
  'shares.managed-by':
    'The maker of a link, owners and admins change or revoke it; other members cannot: 403.',
  'shares.revoke': 'A link can be revoked: 204, and it no longer opens.',
  'shares.refused-alike': 'Every link that does not open is the same 404.',
  'shares.made-private': 'Making an item private revokes its links.',
  'shares.moved': 'A link follows its file when that is moved, and ends where it becomes private.',
  'shares.deleted': 'The link of a deleted file opens again once the file is back.',
  'shares.page-headers':
    'Pages and bytes of a link are not cached, not indexed, and never have the permissions of the app.',
  'shares.views': 'Usage counts views.',
  'shares.view-once': 'A page with its content is one view; bytes without the page are one.',
  'shares.addresses-open-nothing':
    'An address copied from a page gives no access: session, key and password are checked at each.',
  'shares.scripts-in-frame': 'A page with scripts runs them only in the frame of its page.',
});
