import { due } from './requirement.ts';

export const writingFiles = due('files', {
  'files.write.created': 'A write to a free path creates the file: 201 with path and version 1.',
  'files.write.parents': 'Missing parent folders are created.',
  'files.write.updated':
    'A write that names the current version is accepted: 200 with path and the next version.',
  'files.write.etag': 'An update carries the new version in ETag.',
  'files.write.version-starts-at-1':
    'Versions are integers that start at 1 and go up by one with each accepted update.',
  'files.write.if-match-forms': 'If-Match takes a bare, quoted or weak version.',
  'files.write.if-match-invalid':
    'Any other If-Match is 400: a star, a list, zero, a negative, a fraction, a word.',
  'files.write.if-none-match-other': 'If-None-Match on a write other than a star is 400.',
  'files.write.both-preconditions': 'Both preconditions on one write are 400.',
  'files.write.create-only': 'If-None-Match star on a free path creates the file.',
  'files.write.create-only-taken': 'If-None-Match star on a taken path keeps the bytes as a copy and is 412.',
  'files.write.create-only-identical':
    'If-None-Match star with the current bytes succeeds with the existing version and no change.',
  'files.write.precondition-required':
    'A write to an existing file without a precondition is 428, identical bytes included.',
  'files.write.stale':
    'A write on an older version is 412 with the current version and the path of the copy, and nothing else.',
  'files.write.stale-kept': 'The bytes of a stale write can be read at the path that the response names.',
  'files.write.stale-unchanged': 'A stale write leaves the file as it was.',
  'files.write.stale-ahead': 'A version above the current one is stale.',
  'files.write.stale-identical':
    'A stale write with the current bytes succeeds: same version, no copy, no change, same type.',
  'files.write.identical':
    'A write on the current version with identical bytes is still a new version and a change.',
  'files.write.absent-if-match': 'A write on a version of a deleted file recreates it at version 1.',
  'files.write.recreated': 'A file written again after its deletion starts at version 1.',
  'files.write.empty-body': 'A write without bytes is 400.',
  'files.write.empty-body-first': 'An empty body is rejected before any precondition is checked.',
  'files.write.allow-empty':
    'With X-Service-Allow-Empty: 1 a write without bytes makes an empty file; all other rules of writes apply.',
  'files.write.allow-empty-only': 'X-Service-Allow-Empty: 1 changes nothing for a body that has bytes.',
  'files.write.allow-empty-invalid': 'Any other value of X-Service-Allow-Empty is 400.',
  'files.write.whole-body':
    'A write with Content-Range is 400, one with a Content-Encoding other than identity is 415; nothing is written.',
  'files.write.atomic':
    'Of many writers on one version exactly one wins; the bytes of each other are kept in their own copy.',
  'files.write.create-once': 'Of many writers that create one path exactly one creates it.',
  'files.write.under-file': 'A file cannot lie below another file: 409.',
  'files.write.over-folder': 'A file cannot replace a folder: 409.',
  'files.write.streamed': 'A body whose length is not declared is accepted.',
  'files.write.if-content-hash':
    'With If-Match and a content hash, the write is also stale when the file at that version has other bytes.',
  'files.write.if-content-hash-invalid':
    'A content hash without If-Match, or one that is not 64 lower-case hexadecimal digits, is 400.',
  'files.write.conflict-refuse':
    'With conflict=refuse a write that would become a conflicted copy is 412 with the current version, and nothing is kept.',
  'files.write.conflict-refuse-only':
    'conflict=refuse changes no other response: identical bytes succeed, a free path is created, 428 stays.',
  'files.write.conflict-refuse-before-quota': 'conflict=refuse is checked before the quota.',
  'files.write.conflict-invalid': 'Any other value of conflict is 400.',
});

export const conflictedCopies = due('files', {
  'files.copy.path':
    'A conflicted copy lies in the same folder, keeps the extension, and names the UTC time and the writer.',
  'files.copy.person': "A person's own copy has the person's name.",
  'files.copy.unsafe-name': "Characters that a file name cannot have are omitted from the writer's name.",
  'files.copy.one-marker': 'The copy of a copy has one marker.',
  'files.copy.numbered': 'Copies made in the same second are numbered.',
  'files.copy.version': 'A conflicted copy is a file at version 1.',
  'files.copy.same-again': 'The same losing bytes again return the existing copy: no second one, no change.',
  'files.copy.same-after-delete': 'Once that copy is deleted, the same losing bytes make a new one.',
  'files.copy.base': "The versions of a conflicted copy name its base version, and that version's hash.",
  'files.copy.counted': 'A conflicted copy counts as a file.',
  'files.resolve': 'Resolving a conflict keeps a text and deletes the copy, in one transaction.',
  'files.resolve.merge':
    'merge applies the changes of the copy since its base version to the file, where the changes do not touch.',
  'files.resolve.overlap':
    'Where both changed the same lines: 409 with those lines of all three, and nothing is changed.',
  'files.resolve.keep': 'current makes no version; copy makes the content of the copy the next version.',
  'files.resolve.gone': 'Of a deleted file only the copy can be kept: it is there at version 1.',
  'files.resolve.no-base': 'A copy without a known base is not merged: 409 no_base.',
  'files.resolve.no-such': 'A path without a conflicted copy is 404; an incomplete body is 400.',
  'files.resolve.moved': 'A moved folder keeps its conflicts.',
  'files.resolve.not-text': 'Bytes that are not text are not merged: 400.',
  'files.resolve.private': 'A conflict in a private folder is resolved by its owner.',
  'files.copy.over-quota': 'A conflicted copy that does not fit is 507 and nothing is kept.',
});

export const deletingFiles = due('files', {
  'files.delete.gone': 'Deleting the current version returns 204 without a body, and the file is gone.',
  'files.delete.precondition-required': 'Deleting without a version is 428.',
  'files.delete.absent': 'Deleting a missing file is 404, with or without a version.',
  'files.delete.stale': 'Deleting on an older version deletes nothing: 412 with the current version.',
  'files.delete.if-match-forms': 'A delete accepts and rejects the same forms of version as a write.',
  'files.delete.if-content-hash':
    'With If-Match and a content hash, a delete is also stale when the file at that version has other bytes.',
  'files.delete.if-content-hash-invalid':
    'A content hash without If-Match, or one that is not 64 lower-case hexadecimal digits, is 400.',
  'files.delete.frees-folder': 'A folder ends with its last file, and its name can be a file.',
});
