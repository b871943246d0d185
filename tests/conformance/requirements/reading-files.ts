import { due } from './requirement.ts';

export const readingFiles = due('files', {
  'files.read.bytes': 'A read returns the very bytes that were written, of any kind and size.',
  'files.read.version-header': 'A read names the current version in X-Service-Version.',
  'files.read.etag': 'A read carries the same version in quotes as its ETag.',
  'files.read.hash-header':
    'A read carries the lower-case hex SHA-256 of the bytes in X-Service-Content-Hash.',
  'files.read.content-type': 'A read carries the stored content type.',
  'files.read.not-modified': 'A reader that already has the current version gets 304 without a body.',
  'files.read.not-modified-forms':
    'If-None-Match on a read takes a bare, quoted or weak version, and lists of them.',
  'files.read.not-modified-stale': 'A reader that has another version gets the bytes.',
  'files.read.not-modified-unreadable': 'Parts of If-None-Match that are not versions are ignored on a read.',
  'files.read.download': 'A read with download=1 is served as an attachment.',
  'files.read.preview':
    'With preview=1 an HTML file, or a version of one, is a page in a sandbox without scripts that only the app may frame; other types are served as before.',
  'files.read.preview-unknown-type':
    'A preview of a file whose stored type is unspecific has the type of the extension; a read has the stored one.',
  'files.read.absent': 'Reading a path without a file is 404.',
  'files.read.folder': 'A folder has no bytes: reading it is 404.',
  'files.read.bytes-missing': 'A file whose stored bytes are gone is 502, never an empty or partial success.',
  'files.read.head': 'HEAD responds as GET does, without the body.',
  'files.read.range': 'One byte range can be requested and returns 206.',
  'files.read.range-unsatisfiable': 'A range that begins past the end is 416.',
  'files.read.inert':
    'Bytes of users are served so that a browser runs nothing: nosniff, a sandbox, no embedding elsewhere.',
  'files.read.not-a-script': 'A browser that requests a file as a script, style or worker is rejected.',
});

export const contentTypes = due('files', {
  'files.type.stored': 'The content type that a write sends is stored.',
  'files.type.guessed': 'Without one, the type follows from the extension.',
  'files.type.unknown-extension':
    'An extension that stands for no type is stored as application/octet-stream.',
  'files.type.malformed': 'A content type that is not a media type in ASCII, or too long, is 400.',
  'files.type.replaced': 'An accepted update stores the type that it sends, even for identical bytes.',
  'files.type.after-move':
    'A type that was only guessed is guessed again for the new extension; a chosen one is kept.',
  'files.type.after-restore': 'A restore brings back the type of the version restored.',
});

export const listing = due('files', {
  'files.list.shape': 'A listing has entries, icons, orders, privatePaths and a null nextCursor.',
  'files.list.entry': 'An entry is path, size in bytes, contentType and version.',
  'files.list.empty': 'An empty workspace lists nothing.',
  'files.list.whole': 'Without a prefix the whole workspace is listed.',
  'files.list.order': 'Entries are ordered by code point.',
  'files.list.prefix':
    'A prefix is a folder boundary: a folder whose name merely begins alike is not listed.',
  'files.list.prefix-slash': 'A prefix may end in a slash.',
  'files.list.prefix-unknown': 'A prefix without files is an empty list, not an error.',
  'files.list.prefix-file': 'A prefix that is a file lists that file.',
  'files.list.prefix-invalid': 'A prefix follows the path rules: dot-dot is 400.',
  'files.list.prefix-nodes': 'Icons and orders are listed only at or under the prefix.',
  'files.list.no-paging': 'limit and cursor change nothing.',
  'files.list.keep': 'Placeholder .keep files are listed.',
  'files.list.current':
    'A listing shows each accepted change at once: new versions, sizes, and no deleted files.',
  'files.list.details':
    'With details an entry also has the content hash, the time and the author of the current version.',
  'files.list.details-off': 'Without details=1 an entry has path, size, type and version, and nothing else.',
  'files.list.front-matter':
    'With details a markdown file also has the date, title and view of its front matter, of those it has.',
  'files.list.front-matter-markdown': 'A file that is not markdown has no front matter.',
  'files.list.front-matter-bounds':
    'Front matter is between two --- lines at the beginning, after a byte order mark, in the first 64 KiB.',
  'files.list.front-matter-yaml':
    'Front matter is YAML of the core schema without aliases; with an error or a duplicate key it is ignored.',
  'files.list.front-matter-date': 'A date is a real day as YYYY-MM-DD.',
  'files.list.front-matter-title':
    'A title is trimmed and cut at 200 characters; one of several lines, or that is not text, is ignored.',
  'files.list.front-matter-view': 'The only view is calendar.',
  'files.list.front-matter-kept':
    'Front matter stays through moves and restores, and a conflicted copy has its own.',
});
