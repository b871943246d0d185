import { due } from './requirement.ts';

export const comments = due('comments', {
  'comments.create-range': 'A thread can be started on a quote: 201 with the thread.',
  'comments.create-point': 'A thread can be started at a point between two contexts.',
  'comments.thread': 'A thread has exactly its documented fields, its creator among them.',
  'comments.malformed': 'A thread without a body, a path or a quote is 400.',
  'comments.kind-required': 'REST asks for the kind.',
  'comments.ambiguous': 'A quote that occurs several times is 409 with the count.',
  'comments.not-found': 'A quote that does not occur is 409.',
  'comments.occurrence': 'An occurrence picks one of several.',
  'comments.base-version':
    'A quote of an older version is followed to the current one, which it is pinned to.',
  'comments.base-conflict':
    'A quote of an older version that cannot be mapped is 409 with both versions and the reason.',
  'comments.not-markdown': 'A file that is not markdown is 400.',
  'comments.limits': 'Body, quote and contexts have their limits.',
  'comments.read-only': 'In a lapsed workspace threads and replies are 402; resolving still works.',
  'comments.reply': 'A reply is 201 with the entry.',
  'comments.entry': 'A reply has exactly its documented fields, its author among them.',
  'comments.dedupe': 'The same dedupe key records one reply.',
  'comments.resolve': 'Resolving and reopening are idempotent.',
  'comments.list-filters': 'Threads are filtered by path, id, status, anchor and author.',
  'comments.list-paging': 'Threads page by 50 up to 200, entries by 20 up to 100.',
  'comments.anchors':
    'An anchor follows its text, or says ambiguous or outdated, and never jumps to a look-alike.',
  'comments.pinned': 'The text a thread was written against can be downloaded; 410 if gone.',
  'comments.deleted': 'While its file is deleted a thread is outdated; it comes back with the file.',
  'comments.private': "Threads on another member's private file are as if they were not there.",
  'comments.large-page': 'Every thread is reached by following nextOffset.',
  'comments.not-files': 'Threads appear nowhere as files.',
});
