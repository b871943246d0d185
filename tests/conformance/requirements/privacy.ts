import { due } from './requirement.ts';

export const privacy = due('privacy', {
  'privacy.set': 'An item can be made private to the caller, which answers ok, path, kind and private.',
  'privacy.left-behind':
    'The versions that a private file left at a path, by a move or a deletion, are as private as it, whoever sees the path.',
  'privacy.read': "Another member's private file is 404 to read, write, delete and move.",
  'privacy.list': 'Listings leave out what is private to others.',
  'privacy.private-paths': 'privatePaths names what is private to the caller.',
  'privacy.folder': 'A private folder hides all below it.',
  'privacy.nearest': 'The nearest record at or above a path decides.',
  'privacy.owner-only': 'Only the owner can share an item again.',
  'privacy.already-private': "Making another member's private item private is 404.",
  'privacy.future-folder': 'A folder that does not exist yet can be made private; a file must exist.',
  'privacy.delete-keeps': "A file's own privacy outlives its deletion.",
  'privacy.blocked': 'A path blocked by something hidden is 404.',
  'privacy.copy': 'The conflicted copy of a private file is private to the same owner.',
  'privacy.leaver': 'The private items of one who left stay private and still count.',
  'privacy.departed': 'An owner lists the private items of people who have left, by path, in pages.',
  'privacy.departed-owners':
    'Only owners see and take back what people who left kept private, with a session.',
  'privacy.departed-shared': 'An owner shares a private item of one who left; those who see it now are told.',
  'privacy.departed-given': 'An owner gives a private item of one who left to a member, who alone is told.',
  'privacy.departed-only': "A present member's private item cannot be taken: 404, as where nothing is.",
  'privacy.history': 'Versions of a private file are hidden as the file is.',
});
