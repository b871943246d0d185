import { due } from './requirement.ts';

export const moves = due('moves', {
  'moves.file': 'A move returns path and version 1; the bytes are at the new path and gone from the old one.',
  'moves.base-version': 'With a base version the move happens only while the source is at it.',
  'moves.stale': 'A move on an older version moves nothing: 412 with the current version.',
  'moves.base-content-hash':
    'With a base version and a content hash, a move is also stale when the source at that version has other bytes.',
  'moves.source-missing': 'Moving a missing file is 404.',
  'moves.destination-exists': 'Moving onto a file is 409 and overwrites nothing.',
  'moves.onto-itself': 'Moving a file onto itself is 409.',
  'moves.order-of-refusals':
    'A missing source is named before a stale version, and that before a taken destination.',
  'moves.blocked': 'Moving below a file or onto a folder is 409.',
  'moves.case': 'A move may change only the case of a name.',
  'moves.malformed':
    'A move without both paths, with a malformed base version, or with a content hash that is malformed or alone, is 400.',
  'moves.paths': 'The paths of a move follow the path rules.',
  'moves.one-file': 'A folder is not moved by a move: 404.',
  'moves.freed': 'The old path is free for a new file at version 1.',
  'moves.icon': "A file's icon goes with it.",
  'moves.folder.answer': 'A folder move returns ok, from and to.',
  'moves.folder.no-files': 'A folder move moves no files unless they are asked for.',
  'moves.folder.files': 'With files it moves all in one transaction, and returns how many.',
  'moves.folder.nodes': 'A folder move carries icon and order of the folder and of all below it.',
  'moves.folder.source-wins': 'Icon and order of a moved folder replace those at the destination.',
  'moves.folder.into-itself': 'A folder cannot move into itself: 400.',
  'moves.folder.nothing': 'A folder move with nothing to move is fine.',
  'moves.folder.malformed': 'A folder move without both paths is 400.',
});

export const movesOfPrivacy = due('moves', {
  'moves.folder.privacy': 'A folder move carries privacy.',
  'moves.privacy':
    "A file's own privacy goes with it, and a file moved out of a private folder stays private.",
  'moves.onto-private': "Moving onto another member's private file is 404.",
  'moves.folder.private':
    "A folder move from or to another member's private folder, with nothing to move, responds as for a missing one.",
  'moves.folder.hidden':
    'A folder move replaces nothing that the caller cannot see: an item with such a destination stays.',
  'moves.folder.files.hidden':
    "A folder move with files is 404, and moves nothing, where one of them would come to another member's private path.",
});

export const movesOfThreads = due('moves', {
  'moves.threads': 'Comment threads go with the file.',
});

export const movesOfShares = due('moves', {
  'moves.shares': 'Share links go with the file, and are revoked where it becomes private.',
});
