import type { Case } from './cases.ts';

/** Defaults: the base is that of the last pass, everything is known, and the trees are in their own order. */
const plain = {
  meanwhile: [],
  base: 'known',
  unknown: [],
  hidden: [],
  withoutHash: [],
  order: [0, 0, 0, 0],
} as const;

/** Failures found by soak runs, reduced as far as possible. They run before random cases. */
export const foundCases: readonly Case[] = [
  // A file in a folder that the base has in two forms. Its reason depended on the order of the base.
  {
    ...plain,
    start: [
      { kind: 0, a: 0, b: 0, content: 0 },
      { kind: 5, a: 0, b: 60, content: 0 },
      { kind: 0, a: 130, b: 0, content: 0 },
      { kind: 5, a: 0, b: 192, content: 0 },
    ],
    here: [{ kind: 7, a: 0, b: 0, content: 0 }],
    there: [
      { kind: 0, a: 94, b: 0, content: 0 },
      { kind: 5, a: 151, b: 19, content: 0 },
      { kind: 2, a: 0, b: 0, content: 1 },
    ],
  },
  // Two renames that each need the path of the other, through a folder.
  {
    ...plain,
    start: [
      { kind: 0, a: 102, b: 0, content: 0 },
      { kind: 0, a: 181, b: 0, content: 2 },
      { kind: 5, a: 0, b: 240, content: 0 },
    ],
    here: [],
    there: [
      { kind: 5, a: 201, b: 57, content: 0 },
      { kind: 5, a: 0, b: 261, content: 0 },
    ],
  },
  // A local folder and a new folder on the server whose name differs only in form.
  {
    ...plain,
    start: [
      { kind: 0, a: 1, b: 0, content: 0 },
      { kind: 0, a: 280, b: 0, content: 3 },
    ],
    here: [],
    there: [
      { kind: 4, a: 0, b: 0, content: 0 },
      { kind: 0, a: 117, b: 0, content: 0 },
      { kind: 0, a: 19, b: 0, content: 0 },
      { kind: 0, a: 346, b: 0, content: 3 },
    ],
  },
  // A file that comes back while a folder with another form of its name is at its path.
  {
    ...plain,
    start: [
      { kind: 0, a: 0, b: 0, content: 0 },
      { kind: 5, a: 0, b: 6, content: 0 },
      { kind: 0, a: 0, b: 0, content: 0 },
    ],
    meanwhile: [
      { kind: 5, a: 51, b: 48, content: 0 },
      { kind: 0, a: 166, b: 0, content: 0 },
    ],
    here: [
      { kind: 5, a: 0, b: 141, content: 0 },
      { kind: 11, a: 0, b: 92, content: 3 },
    ],
    there: [{ kind: 0, a: 0, b: 0, content: 1 }],
    base: 'older',
    unknown: [2],
  },
  // A file for which it is unknown whether its name now has another form.
  {
    ...plain,
    start: [{ kind: 0, a: 165, b: 0, content: 0 }],
    here: [{ kind: 5, a: 0, b: 0, content: 0 }],
    there: [
      { kind: 4, a: 0, b: 0, content: 0 },
      { kind: 0, a: 19, b: 0, content: 0 },
    ],
    unknown: [0],
  },
  // A file that replaced a folder whose name is ignored only for folders.
  {
    ...plain,
    start: [{ kind: 0, a: 142, b: 0, content: 0 }],
    here: [
      { kind: 8, a: 0, b: 0, content: 0 },
      { kind: 0, a: 222, b: 0, content: 0 },
    ],
    there: [],
  },
  // A folder that was moved to where the server has a placeholder of the root, with nothing known at first.
  {
    ...plain,
    start: [
      { kind: 0, a: 241, b: 0, content: 0 },
      { kind: 0, a: 174, b: 0, content: 0 },
    ],
    here: [{ kind: 7, a: 0, b: 264, content: 0 }],
    there: [{ kind: 4, a: 0, b: 0, content: 0 }],
    unknown: [1],
  },
];
