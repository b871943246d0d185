import { due } from './requirement.ts';

export const writingFiles = due('files', {
  'files.write.created': 'A write to a free path creates the file: 201 with path and version 1.',
  'files.write.parents': 'Missing folders on the way are made without asking.',
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
  'files.write.create-only-taken':
    'If-None-Match star on a taken path keeps the bytes beside the file and says 412.',
  'files.write.create-only-identical':
    'If-None-Match star with the bytes that are there already succeeds with the existing version and no change.',
  'files.write.precondition-required':
    'A write to an existing file without a precondition is 428, identical bytes included.',
  'files.write.stale':
    'A write on an older version is 412 with the current version and where its bytes were kept, and nothing else.',
  'files.write.stale-kept': 'The bytes of a stale write can be read at the path that the answer names.',
  'files.write.stale-unchanged': 'A stale write leaves the file as it was.',
  'files.write.stale-ahead': 'A version above the current one is stale.',
  'files.write.stale-identical':
    'A stale write with the bytes that are there already succeeds: same version, no copy, no change, same type.',
  'files.write.identical':
    'A write on the current version with identical bytes is still a new version and a change.',
  'files.write.absent-if-match': 'A write on a version of a file that is gone recreates it at version 1.',
  'files.write.recreated': 'A file written again after its deletion starts at version 1.',
  'files.write.empty-body': 'A write without bytes is 400.',
  'files.write.empty-body-first': 'An empty body is refused before any precondition is judged.',
  'files.write.allow-empty':
    'With X-Service-Allow-Empty: 1 a write without bytes makes an empty file; every rule of other writes holds.',
  'files.write.allow-empty-only': 'X-Service-Allow-Empty: 1 changes nothing for a body that has bytes.',
  'files.write.allow-empty-invalid': 'Any other value of X-Service-Allow-Empty is 400.',
  'files.write.whole-body':
    'A write with Content-Range is 400, one with a Content-Encoding other than identity is 415; nothing is written.',
  'files.write.atomic':
    'Of many writers on one version exactly one wins; the bytes of each other are kept in a copy of its own.',
  'files.write.create-once': 'Of many writers that create one path exactly one creates it.',
  'files.write.under-file': 'A file cannot lie below another file: 409.',
  'files.write.over-folder': 'A file cannot take the place of a folder: 409.',
  'files.write.streamed': 'A body whose length is not declared is accepted.',
  'files.write.if-content-hash':
    'With a content hash beside If-Match the write is stale too where the file at that version has other bytes.',
  'files.write.if-content-hash-invalid':
    'A content hash without If-Match, or one that is not 64 lower-case hexadecimal digits, is 400.',
  'files.write.conflict-refuse':
    'With conflict=refuse a write that would become a conflicted copy is 412 with the current version, and nothing is kept.',
  'files.write.conflict-refuse-only':
    'conflict=refuse changes no other answer: identical bytes succeed, a free path is created, 428 stays.',
  'files.write.conflict-refuse-before-quota': 'conflict=refuse is judged before the quota.',
  'files.write.conflict-invalid': 'Any other value of conflict is 400.',
});

export const conflictedCopies = due('files', {
  'files.copy.path':
    'A conflicted copy lies in the same folder, keeps the extension, and names the UTC time and the writer.',
  'files.copy.person': "A person's own copy carries the person's name.",
  'files.copy.unsafe-name': "Characters that a file name cannot hold are left out of the writer's name.",
  'files.copy.one-marker': 'The copy of a copy carries one marker.',
  'files.copy.numbered': 'Copies made in the same second are numbered.',
  'files.copy.version': 'A conflicted copy is a file at version 1.',
  'files.copy.same-again':
    'The same losing bytes again are answered with the copy that exists: no second one, no change.',
  'files.copy.same-after-delete': 'Once that copy is deleted, the same losing bytes make a new one.',
  'files.copy.base':
    'The versions of a conflicted copy name the version that its writer had read, and its hash.',
  'files.copy.counted': 'A conflicted copy counts as a file.',
  'files.resolve':
    'A conflict is resolved by a text that is kept and the copy that is deleted, in one transaction.',
  'files.resolve.merge':
    'merge brings into the file what the copy changed since the version that its writer had read, where the changes do not touch.',
  'files.resolve.overlap':
    'Where both changed the same lines: 409 with what stands there in all three, and nothing is changed.',
  'files.resolve.keep': 'current makes no version; copy makes the content of the copy the next version.',
  'files.resolve.gone': 'Of a file that is gone only the copy can be kept: it stands there at version 1.',
  'files.resolve.no-base':
    'A copy of which it is not known what it was written for is not merged: 409 no_base.',
  'files.resolve.no-such': 'A path without a conflicted copy is 404; a body that is not complete is 400.',
  'files.resolve.moved': 'A folder that is moved has its conflicts still.',
  'files.resolve.not-text': 'Bytes that are not text are not merged: 400.',
  'files.resolve.private': 'A conflict in a private place is resolved by its owner.',
  'files.copy.over-quota': 'A conflicted copy that does not fit is 507 and nothing is kept.',
});

export const deletingFiles = due('files', {
  'files.delete.gone': 'Deleting the current version answers 204 without a body, and the file is gone.',
  'files.delete.precondition-required': 'Deleting without a version is 428.',
  'files.delete.absent': 'Deleting what is not there is 404, with or without a version.',
  'files.delete.stale': 'Deleting on an older version deletes nothing: 412 with the current version.',
  'files.delete.if-match-forms': 'A delete takes the same forms of version as a write, and refuses the same.',
  'files.delete.if-content-hash':
    'With a content hash beside If-Match a delete is stale too where the file at that version has other bytes.',
  'files.delete.if-content-hash-invalid':
    'A content hash without If-Match, or one that is not 64 lower-case hexadecimal digits, is 400.',
  'files.delete.frees-folder': 'A folder ends with its last file, and its name can be a file.',
});
