import { due } from './requirement.ts';

export const history = due('history', {
  'history.version.bytes': 'An earlier version can be read, bytes and type as they were.',
  'history.version.etag': 'A version read carries that version as ETag and X-Service-Version, and its hash.',
  'history.version.unavailable': 'An unknown version is 404.',
  'history.version.unknown-path': 'A version of a path that never existed is 404.',
  'history.version.malformed': 'Without a path or a whole version number the request is 400.',
  'history.version.deleted': 'Versions of a deleted file can still be read.',
  'history.version.incarnations':
    'After delete and recreate, the current file comes first, then the newest earlier one that has the version.',
  'history.version.moved-away': 'Versions from before a move are read at the path they were written at.',
  'history.version.content-hash':
    'With a content hash, any listed version is found by its number: of earlier files, and from before moves.',
  'history.version.content-hash-unlisted':
    'A number and a content hash that no listed version has together are 404; a malformed hash is 400.',
  'history.list.newest-first': 'The versions of a file are listed newest first.',
  'history.list.entry': 'A listed version has its number, size, type, hash, operation, author and time.',
  'history.list.follows-moves':
    'The list follows a file through its moves and names the path where each version was written.',
  'history.list.incarnations': 'Earlier files at the path follow the current one.',
  'history.list.deleted': 'A deleted file still lists its versions.',
  'history.list.unknown': 'The versions of a path that never existed are 404.',
  'history.blame':
    'Each range of lines comes with the version that last wrote it, its time and its credential.',
  'history.blame.moves':
    'Lines keep their writers through moves, as far as the caller sees the earlier paths.',
  'history.blame.restores': 'A restore brings lines back with their writers.',
  'history.blame.unavailable': 'A missing file is 404, and one that is not text or too large 400.',
  'history.undo.alone':
    'A file that only the actor changed in the period gets the text from before, as a restore by the caller.',
  'history.undo.merge': 'Where others also wrote, their text stays, as a write by the caller.',
  'history.undo.answer':
    'The response names each file with its outcome and version, and counts the outcomes.',
  'history.undo.repeat': 'The same request again changes nothing more, even by the actor.',
  'history.undo.dry-run':
    'A dry run changes nothing, and returns the same with the lines that would come and go.',
  'history.undo.left': 'A file that cannot be undone is left as it is, with the reason.',
  'history.undo.moves': 'A file is found through moves; a move by the actor is reported and not undone.',
  'history.undo.deletes':
    'A file that the actor deleted comes back at a free path; one that they recreated gets the old text.',
  'history.undo.copies': 'A conflicted copy that the actor made is deleted, and can be restored.',
  'history.undo.time': 'Only changes from since to until are undone, both included.',
  'history.undo.pages': 'A call takes up to 200 files, by path, and names the path to continue after.',
  'history.undo.who':
    'Owners and admins undo all changes, members those of their own and of their keys, even revoked ones.',
  'history.undo.unseen': 'Paths that the caller cannot see are not named, counted or changed.',
  'history.undo.malformed': 'One actor and a time are needed: anything else is 400.',
  'history.restore.new-version':
    'A restore makes an earlier version the newest: path, version and restoredFrom.',
  'history.restore.nothing-lost': 'The text from before a restore stays a version.',
  'history.restore.identical': 'Restoring the current bytes is still a new version and a change.',
  'history.restore.deleted': 'A deleted file can be restored: version 1 again.',
  'history.restore.content-hash':
    'A restore also takes a content hash and brings back any listed version, with the type that moves since gave it.',
  'history.restore.unavailable': 'An unknown version or path cannot be restored: 404.',
  'history.restore.malformed':
    'A restore without a path or with a version that is not a whole number is 400.',
  'history.restore.blocked': 'A restore to a path that a folder or file now blocks is 409.',
  'history.restore.race':
    'A restore among concurrent writers loses nothing: it becomes a version, or is 409 with its bytes in a conflicted copy.',
});
