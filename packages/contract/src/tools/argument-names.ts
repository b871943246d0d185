/**
 * Argument names of other tools that agents use by habit, by our argument. They are not published. They are compared
 * without case, `_` and `-`, so `file_path` is `filePath`, and only if the tool has no argument of that name.
 */
const habits: Readonly<Record<string, readonly string[]>> = {
  path: ['filepath', 'file', 'filename', 'folder', 'directory', 'dir'],
  content: ['contents', 'text', 'filetext', 'filecontent', 'body', 'data'],
  body: ['comment', 'text', 'content', 'message', 'reply'],
  query: ['pattern', 'q', 'search', 'text', 'searchquery', 'searchterm', 'term'],
  limit: ['maxresults', 'headlimit', 'pagesize'],
  offset: ['skip'],
  maxBytes: ['length'],
  baseVersion: ['expectedversion', 'ifmatch', 'version', 'currentversion', 'revision'],
  targetVersion: ['version', 'toversion', 'revision'],
  quote: ['quotedtext', 'selectedtext', 'selection'],
  threadId: ['thread', 'commentid', 'id'],
  author: ['authorid', 'authorname', 'createdby'],
  oldText: ['oldstring', 'oldstr', 'search', 'find'],
  newText: ['newstring', 'newstr', 'replace', 'replacement'],
  all: ['replaceall', 'allowmultiple'],
  edits: ['changes', 'replacements'],
  since: ['cursor', 'after'],
};

/** For arguments whose name in this tool differs from the name in others. */
const habitsOfTools: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  list_files: {
    prefix: ['path', 'folder', 'directory', 'dir', 'filepath'],
    depth: ['maxdepth', 'level', 'levels'],
  },
  search_files: { query: ['pattern', 'glob', 'name', 'q', 'search', 'searchquery'] },
  move_file: {
    from: ['source', 'src', 'frompath', 'oldpath', 'sourcepath', 'path', 'filepath'],
    to: ['destination', 'dest', 'dst', 'target', 'topath', 'newpath', 'destinationpath'],
  },
  read_lines: {
    from: ['offset', 'start', 'startline', 'linestart', 'begin', 'fromline'],
    to: ['end', 'endline', 'lineend', 'toline'],
    count: ['limit', 'lines', 'linecount', 'numlines', 'maxlines'],
    range: ['viewrange', 'linerange'],
  },
  search_content: {
    path: ['glob', 'include', 'filepattern', 'filepath', 'folder', 'directory', 'dir'],
    context: ['contextlines', 'c'],
    matchCase: ['casesensitive'],
  },
};

/** @returns the argument of `known` that a name means, or null */
export function argumentNamed(tool: string, name: string, known: readonly string[]): string | null {
  const plain = plainName(name);
  const own = habitsOfTools[tool] ?? {};
  const named = (argument: string) => (Object.hasOwn(own, argument) ? own : habits)[argument] ?? [];
  return (
    known.find((argument) => plainName(argument) === plain) ??
    known.find((argument) => named(argument).includes(plain)) ??
    null
  );
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

/** Words in an argument's name that restrict a call, grouped by the advice about them. */
const guards: Readonly<Record<'trial' | 'condition' | 'creation' | 'pattern' | 'other', string>> = {
  trial:
    'dry dryrun preview simulate simulation simulated pretend noop trial validate validation test check draft plan whatif readonly',
  condition:
    'if ifmatch unless expect expected expects precondition etag version revision rev base hash sha sha256 md5 checksum mtime unmodified unchanged',
  creation: 'exclusive clobber noclobber nooverwrite exist exists existing absent',
  pattern: 'regex regexp',
  other:
    'only no not dont never without skip exclude excluded excluding except avoid prevent must require required requires fail abort confirm confirmation approve approval ask atomic rollback strict safe lock until invert inverted word words wholeword append prepend mode position copy private visibility public password expire expires expiry dedupe dedup idempotency idempotent to destination as into conflict ignore',
};
const guardByWord = new Map(
  Object.entries(guards).flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind] as const)),
);

/**
 * Returns the error for an unknown argument that may mean "do not", because without it the tool would do what the
 * caller wanted to prevent. An argument that is off restricts nothing.
 * @param changes whether the tool changes anything; if so, an unknown argument that is false forbids something
 * @returns null if the argument can be ignored
 */
export function errorOfArgument(
  {
    name: tool,
    changes,
    known,
  }: { readonly name: string; readonly changes: boolean; readonly known: readonly string[] },
  name: string,
  value: unknown,
): string | null {
  const field = name.split('.').at(-1) ?? name;
  const words = field
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const kind = words.map((word) => guardByWord.get(word)).find((found) => found !== undefined);
  const isOff = value === false || value === 'false' || value === '';
  if (kind === undefined ? !(changes && isOff && value !== '') : isOff) return null;
  const shown = name.slice(0, 100);
  const done = changes ? 'Nothing was done' : 'Nothing was read';
  return `${shown}: ${tool} does not know this argument and cannot keep to it. ${done}. ${adviceOn(kind, tool, known)}`;
}

function adviceOn(kind: string | undefined, tool: string, known: readonly string[]): string {
  switch (kind) {
    case 'trial':
      return 'There is no trial run. Leave it out to make the change: earlier versions are kept.';
    case 'condition':
      if (known.includes('baseVersion')) return 'baseVersion takes the version that you read.';
      if (tool.startsWith('read_')) return 'read_file_version reads an earlier version.';
      return 'It takes whatever version is there: read it first, then leave this out.';
    case 'creation':
      return tool === 'write_file'
        ? 'Without baseVersion it only creates, and never overwrites.'
        : 'Nothing is ever overwritten unseen: leave it out.';
    case 'pattern':
      return 'Text is taken literally: leave it out, and name a part of the text that is fixed.';
    default:
      return 'Leave it out if the call is meant without it.';
  }
}
