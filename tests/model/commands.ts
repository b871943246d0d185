import fc from 'fast-check';

/** A path by name, or one of the files that exist when the command's turn comes, conflicted copies among them. */
export type PathChoice =
  | { readonly kind: 'named'; readonly path: string }
  | { readonly kind: 'existing'; readonly at: number };

/** A version in relation to the file's own when the command's turn comes. */
export type VersionChoice = 'none' | 'current' | 'older' | 'newer';

/** One request of a random sequence. `actor` is 0 or 1. */
export type Command =
  | {
      readonly kind: 'put';
      readonly actor: number;
      readonly path: PathChoice;
      /** `large` stands for more bytes than the database holds. */
      readonly content: string;
      readonly contentType: string | null;
      readonly precondition: VersionChoice | 'absent';
    }
  | {
      readonly kind: 'delete';
      readonly actor: number;
      readonly path: PathChoice;
      readonly version: VersionChoice;
    }
  | {
      readonly kind: 'move';
      readonly actor: number;
      readonly from: PathChoice;
      readonly to: PathChoice;
      readonly version: VersionChoice;
    }
  | { readonly kind: 'restore'; readonly actor: number; readonly path: PathChoice; readonly version: number }
  | { readonly kind: 'get'; readonly path: PathChoice; readonly known: VersionChoice }
  | { readonly kind: 'version'; readonly path: PathChoice; readonly version: number }
  | { readonly kind: 'versions'; readonly path: PathChoice }
  | { readonly kind: 'list'; readonly prefix: string }
  | { readonly kind: 'search'; readonly query: string }
  | { readonly kind: 'changes'; readonly after: number; readonly limit: number }
  | { readonly kind: 'usage' };

/** Few names, so that commands meet: files that are folders of others, names that differ in case, other scripts. */
const names = ['a.md', 'b.txt', 'A.md', 'd/a.md', 'd/b.json', 'd/e/c', 'd', 'a.md/x.md', 'é/ü.md'];

const path: fc.Arbitrary<PathChoice> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...names).map((name) => ({ kind: 'named' as const, path: name })) },
  { weight: 3, arbitrary: fc.nat(7).map((at) => ({ kind: 'existing' as const, at })) },
);
const actor = fc.nat(1);
const content = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('one', 'two', 'three', 'grüße') },
  { weight: 1, arbitrary: fc.constantFrom('', 'large') },
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
const version = fc.integer({ min: 1, max: 4 });

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      actor,
      path,
      content,
      contentType,
      precondition,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('delete' as const), actor, path, version: versionChoice }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      actor,
      from: path,
      to: path,
      version: versionChoice,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('restore' as const), actor, path, version }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('get' as const), path, known: versionChoice }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('version' as const), path, version }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('versions' as const), path }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('list' as const),
      prefix: fc.constantFrom('d', 'd/e', 'a.md', 'é', 'none'),
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
    arbitrary: fc.record({ kind: fc.constant('changes' as const), after: fc.nat(12), limit: fc.nat(6) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('usage' as const) }) },
);

export const commandSequences = fc.array(command, { minLength: 6, maxLength: 18, size: 'max' });
