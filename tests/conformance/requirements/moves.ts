import { due } from './requirement.ts';

export const moves = due('moves', {
  'moves.file': 'A move answers path and version 1; the bytes are at the new path and gone from the old one.',
  'moves.base-version': 'With a base version the move happens only while the source is at it.',
  'moves.stale': 'A move on an older version moves nothing: 412 with the current version.',
  'moves.base-content-hash':
    'With a content hash beside the base version a move is stale too where the source at that version has other bytes.',
  'moves.source-missing': 'Moving what is not there is 404.',
  'moves.destination-exists': 'Moving onto a file is 409 and overwrites nothing.',
  'moves.onto-itself': 'Moving a file onto itself is 409.',
  'moves.order-of-refusals':
    'A missing source is named before a stale version, and that before a taken destination.',
  'moves.blocked': 'Moving below a file or onto a folder is 409.',
  'moves.case': 'A move may change only the case of a name.',
  'moves.malformed':
    'A move without both paths, with a base version that is none, or with a base content hash that is none or alone, is 400.',
  'moves.paths': 'The paths of a move follow the path rules.',
  'moves.one-file': 'A folder is not moved by a move: 404.',
  'moves.freed': 'The old path is free for a new file at version 1.',
  'moves.icon': "A file's icon goes with it.",
  'moves.folder.answer': 'A folder move answers ok, from and to.',
  'moves.folder.no-files': 'A folder move moves no files unless they are asked for.',
  'moves.folder.files': 'With files it moves all in one transaction, and answers how many.',
  'moves.folder.nodes': 'A folder move carries icon and order of the folder and of all below it.',
  'moves.folder.source-wins': 'What a folder move carries replaces what the destination had.',
  'moves.folder.into-itself': 'A folder cannot move into itself: 400.',
  'moves.folder.nothing': 'A folder move with nothing to carry is fine.',
  'moves.folder.malformed': 'A folder move without both paths is 400.',
});

export const movesOfPrivacy = due('moves', {
  'moves.folder.privacy': 'A folder move carries privacy.',
  'moves.privacy':
    "A file's own privacy goes with it, and a file moved out of a private folder stays private.",
  'moves.onto-private': "Moving onto another member's private file is 404.",
  'moves.folder.private':
    "A folder move from or to another member's private folder, with nothing to carry, answers as for an absent one.",
  'moves.folder.hidden':
    'A folder move puts nothing in the place of what the caller cannot see: what would come there stays where it is.',
  'moves.folder.files.hidden':
    "A folder move with files is 404, and moves nothing, where one of them would come to another member's private path.",
});

export const movesOfThreads = due('moves', {
  'moves.threads': 'Comment threads go with the file.',
});

export const movesOfShares = due('moves', {
  'moves.shares': 'Share links go with the file, and are revoked where it becomes private.',
});
