import { due } from './requirement.ts';

export const privacy = due('privacy', {
  'privacy.set': 'An item can be made private to the caller; the response has ok, path, kind and private.',
  'privacy.left-behind':
    'The versions that a private file left at a path, by a move or a deletion, stay as private as the file.',
  'privacy.read': "Another member's private file is 404 to read, write, delete and move.",
  'privacy.list': 'Listings omit private items of others.',
  'privacy.private-paths': 'privatePaths names the private items of the caller.',
  'privacy.folder': 'A private folder hides all below it.',
  'privacy.nearest': 'The nearest record at or above a path decides.',
  'privacy.owner-only': 'Only the owner can share an item again.',
  'privacy.already-private': "Making another member's private item private is 404.",
  'privacy.future-folder': 'A folder that does not exist yet can be made private; a file must exist.',
  'privacy.delete-keeps': "A file's own privacy outlives its deletion.",
  'privacy.blocked': 'A path blocked by something hidden is 404.',
  'privacy.copy': 'The conflicted copy of a private file is private to the same owner.',
  'privacy.leaver': 'The private items of a former member stay private and still count.',
  'privacy.departed': 'An owner lists the private items of former members, by path, in pages.',
  'privacy.departed-owners':
    'Only owners see and reclaim the private items of former members, with a session.',
  'privacy.departed-shared':
    'An owner shares a private item of a former member; the feed notifies those who see it now.',
  'privacy.departed-given':
    'An owner gives a private item of a former member to a member; the feed notifies only that member.',
  'privacy.departed-only': "A present member's private item cannot be taken: 404, as for a missing one.",
  'privacy.history': 'Versions of a private file are hidden as the file is.',
});
