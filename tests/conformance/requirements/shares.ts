import { owed } from './requirement.ts';

export const shares = owed('shares', 'shares', {
  'shares.create': 'A link can be made for a file or folder: 201 with the share.',
  'shares.list': 'The links on a path are listed, apart from those on folders above it.',
  'shares.key-member-only': 'A key makes member links only.',
  'shares.session-only': 'Public links, passwords and scripts take a session: 403 with a key.',
  'shares.scripts-off': 'A key can turn scripts off.',
  'shares.private': 'A private item cannot be shared: 409.',
  'shares.folder-scripts': 'A folder link never runs scripts: 400.',
  'shares.pinned': 'A link can be pinned to a version and hash that agree.',
  'shares.pinned-gone': 'Pinned bytes that are gone are 410.',
  'shares.password': 'A password is asked of everyone and never shown.',
  'shares.member': 'A member link opens for members only.',
  'shares.public': 'A public link opens for anyone.',
  'shares.patch': 'Scripts can be switched: 200 with the share.',
  'shares.revoke': 'A link can be revoked: 204, and it no longer opens.',
  'shares.refused-alike': 'Every link that does not open is the same 404.',
  'shares.made-private': 'Making an item private revokes its links.',
  'shares.views': 'Usage counts views.',
});
