import fc from 'fast-check';
import type { McpEra } from '../support/mcp-client.ts';
import type { ContentQuery } from './workspace/reads.ts';

/** A path by name, or one of the files that exist at the time of the command, including conflicted copies. */
export type PathChoice =
  | { readonly kind: 'named'; readonly path: string }
  | { readonly kind: 'existing'; readonly at: number };

/** A version relative to the file's own at the time of the command. */
export type VersionChoice = 'none' | 'current' | 'older' | 'newer';

/** A content hash for a version: that of the file, or another one. */
export type HashChoice = 'none' | 'current' | 'other';

/** The surface, key and encoding of a request. Requests that a surface does not have use REST. */
export interface Via {
  readonly surface: 'rest' | McpEra;
  readonly key: KeyKind;
  /** The encoding of content, where a tool takes or gives it. */
  readonly encoding: 'utf8' | 'base64';
}

/** The workspaces of a key: every workspace of its owner, or one. */
export type KeyKind = 'account-wide' | 'scoped';

/** One request of a random sequence. `actor` is 0 or 1. */
export type Command = Action & { readonly actor: number; readonly via: Via };

/** The action of a request. */
export type Action =
  | {
      readonly kind: 'put';
      readonly path: PathChoice;
      /** `large` stands for more bytes than fit into the database. */
      readonly content: string;
      readonly contentType: string | null;
      readonly precondition: VersionChoice | 'absent';
      readonly hash: HashChoice;
      /** Whether a lost race is rejected instead of kept as a copy. */
      readonly rejectStale: boolean;
      /** Only REST needs this option for an empty file. */
      readonly allowEmpty: boolean;
    }
  | {
      readonly kind: 'delete';
      readonly path: PathChoice;
      readonly version: VersionChoice;
      readonly hash: HashChoice;
    }
  | {
      readonly kind: 'move';
      readonly from: PathChoice;
      readonly to: PathChoice;
      readonly version: VersionChoice;
      readonly hash: HashChoice;
    }
  | {
      readonly kind: 'move-folder';
      readonly from: PathChoice;
      readonly to: PathChoice;
      readonly files: boolean;
    }
  | {
      readonly kind: 'restore';
      readonly path: PathChoice;
      readonly version: number;
      /** The content of the version, for REST; null omits it. */
      readonly content: string | null;
    }
  | {
      readonly kind: 'private';
      readonly path: PathChoice;
      readonly node: 'file' | 'folder';
      readonly private: boolean;
    }
  | {
      readonly kind: 'get';
      readonly path: PathChoice;
      readonly known: VersionChoice;
      /** The size of a tool's read, in addition to one character; null for all. */
      readonly window: number | null;
    }
  | {
      readonly kind: 'version';
      readonly path: PathChoice;
      readonly version: number;
      readonly content: string | null;
    }
  | { readonly kind: 'versions'; readonly path: PathChoice }
  | {
      readonly kind: 'list';
      readonly prefix: string;
      /** The page of a tool's list; null for all. */
      readonly page: { readonly limit: number; readonly offset: number } | null;
    }
  | { readonly kind: 'search'; readonly query: string }
  | ({ readonly kind: 'search-content' } & ContentQuery)
  | { readonly kind: 'find'; readonly query: string }
  /** Resolves one of the conflicted copies that exist at the time of the command, otherwise a file. */
  | { readonly kind: 'resolve'; readonly at: number; readonly keep: 'merge' | 'current' | 'copy' }
  | { readonly kind: 'changes'; readonly after: number; readonly limit: number }
  | { readonly kind: 'usage' }
  /** Undoes all changes of the caller's own key. */
  | { readonly kind: 'undo' };

const large = 'large '.repeat(12_000);

/** The text that a `put` writes. */
export function contentOf(content: string): string {
  return content === 'large' ? large : content;
}

/** Few names, so that commands collide: files that are folders of others, case differences, other scripts. */
const names = ['a.md', 'b.txt', 'A.md', 'd/a.md', 'd/b.json', 'd/e/c', 'd', 'a.md/x.md', 'é/ü.md'];

const path: fc.Arbitrary<PathChoice> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...names).map((name) => ({ kind: 'named' as const, path: name })) },
  { weight: 3, arbitrary: fc.nat(7).map((at) => ({ kind: 'existing' as const, at })) },
);
/** Folders of the names above: one inside another, and one that is a file at times. */
const folder = fc
  .constantFrom('d', 'd/e', 'd', 'é', 'a.md')
  .map((path) => ({ kind: 'named' as const, path }));
/** Adds a folder that exists only after a move to it, with one inside. */
const movedFolder = fc
  .constantFrom('d', 'd/e', 'd', 'é', 'n', 'n', 'n/e')
  .map((path) => ({ kind: 'named' as const, path }));
const mostly = fc.constantFrom(true, true, false);
const actor = fc.nat(1);
const content = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('one', 'two', 'three', 'grüße') },
  { weight: 2, arbitrary: fc.constantFrom('', '', '', 'large') },
);
const contentType = fc.constantFrom(null, null, null, 'text/plain', 'application/vnd.model');
const versionChoice = fc.constantFrom<VersionChoice>('none', 'current', 'current', 'older', 'newer');
const precondition = fc.constantFrom<VersionChoice | 'absent'>(
  'none',
  'absent',
  'current',
  'current',
  'older',
  'newer',
);
/** Only REST accepts a hash, and only with a version. */
const hash = fc.constantFrom<HashChoice>('none', 'none', 'none', 'current', 'other');
const version = fc.integer({ min: 1, max: 4 });

const heldContent = fc.constantFrom(null, 'one', 'two', 'three', 'grüße');

const setPrivate: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    kind: fc.constant('private' as const),
    path,
    node: fc.constant('file' as const),
    private: mostly,
  }),
  fc.record({
    kind: fc.constant('private' as const),
    path: fc.oneof(folder, movedFolder),
    node: fc.constant('folder' as const),
    private: mostly,
  }),
);

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      path,
      content,
      contentType,
      precondition,
      hash,
      rejectStale: fc.constantFrom(false, false, false, true),
      allowEmpty: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('delete' as const), path, version: versionChoice, hash }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      from: path,
      to: path,
      version: versionChoice,
      hash,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('move-folder' as const),
      from: movedFolder,
      to: movedFolder,
      files: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: setPrivate },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('restore' as const), path, version, content: heldContent }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('get' as const),
      path,
      known: versionChoice,
      window: fc.option(fc.nat(3)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('version' as const), path, version, content: heldContent }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('versions' as const), path }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('list' as const),
      prefix: fc.constantFrom('d', 'd/e', 'a.md', 'é', 'none', ''),
      page: fc.option(fc.record({ limit: fc.integer({ min: 1, max: 4 }), offset: fc.nat(4) })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('search' as const),
      query: fc.constantFrom('a', 'am', 'd', 'c', 'conf', 'zz'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('search-content' as const),
      text: fc.constantFrom('one', 'T', 'Grü', 'GRÜßE', 'large l', 'nowhere'),
      matchCase: fc.boolean(),
      prefix: fc.constantFrom('', '', 'd', 'd/e', 'a.md', 'none'),
      after: fc.constantFrom(null, null, 'a.md', 'b.txt', 'd/a.md', 'd/b'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('find' as const),
      query: fc.constantFrom(
        ...['one', 'md TWO', 'grusse', 'thr', 'd', 'one OR three', '-one', 'two -b', '"large l"', '"d/a"'],
        ...['in:d', 'in:d/e e', 'in:none', 'type:md one', 'is:conflict', 'conflicted md', 'ü', 'nowhere'],
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('resolve' as const),
      at: fc.nat(7),
      keep: fc.constantFrom('merge' as const, 'merge' as const, 'current' as const, 'copy' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('changes' as const),
      after: fc.nat(12),
      limit: fc.nat(6),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('usage' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('undo' as const) }) },
);

const via: fc.Arbitrary<Via> = fc.record({
  surface: fc.constantFrom('rest', 'rest', 'legacy', 'modern'),
  key: fc.constantFrom('account-wide', 'account-wide', 'scoped'),
  encoding: fc.constantFrom('utf8', 'utf8', 'base64'),
});

const command: fc.Arbitrary<Command> = fc
  .tuple(action, actor, via)
  .map(([action, actor, via]) => ({ ...action, actor, via }));

const fill = fc.array(command, { minLength: 6, maxLength: 18, size: 'max' });

/** Half of the sequences run in a folder that is private from the beginning and shared at the end. */
export const commandSequences: fc.Arbitrary<Command[]> = fc.oneof(
  fill,
  fc.record({ within: fc.constantFrom('d', 'd/e'), actor, via, fill }).map(({ within, actor, via, fill }) => {
    const path = { kind: 'named', path: within } as const;
    const node = { kind: 'private', actor, via, path, node: 'folder' } as const;
    return [{ ...node, private: true }, ...fill, { ...node, private: false }];
  }),
);
