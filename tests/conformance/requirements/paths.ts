import { due } from './requirement.ts';

export const pathRules = due('paths', {
  'paths.dot-dot': 'A dot-dot segment is 400 however it is encoded; dots inside a name are a name.',
  'paths.backslash': 'A backslash is 400, raw or encoded.',
  'paths.null': 'A null byte is 400.',
  'paths.control': 'Other control characters, C0, DEL and C1, are 400.',
  'paths.utf8': 'Bytes that are not valid UTF-8, overlong forms and surrogates included, are 400.',
  'paths.percent': 'A broken percent escape is 400.',
  'paths.decoded-once': 'A path is decoded once: a doubly encoded character stays encoded.',
  'paths.encoded-slash': 'An encoded slash separates.',
  'paths.dropped-segments': 'Empty and single-dot segments are dropped.',
  'paths.empty': 'A path with no segment left is 400.',
  'paths.nfc': 'Names are in NFC: decomposed input means the composed name.',
  'paths.case-sensitive': 'Names that differ in case are different files.',
  'paths.characters': 'A path has at most 1024 characters, counted in its final form.',
  'paths.segment-bytes': 'A segment has at most 255 bytes, counted in its final form.',
  'paths.no-normalising': 'A URL is not normalised before it is checked.',
  'paths.any-name': 'Every other character is a name: spaces, punctuation, emoji.',
  'paths.canonical-answer': 'Responses name the final form of the path.',
  'paths.in-bodies': 'Paths in bodies and query strings follow the same rules.',
});
