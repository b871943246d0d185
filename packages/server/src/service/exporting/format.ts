import {
  changeOps,
  hasCharacters,
  imageHashOf,
  isContentHash,
  isMediaType,
  isVisibleLine,
  memberRoles,
  nodeIconMaxCharacters,
  nodeKinds,
  parseIcon,
  parseWorkspacePath,
  principals,
  themeCssMaxBytes,
  WorkspaceError,
  workspaceColors,
  workspaceImageMaxBytes,
  workspaceNameMaxCharacters,
  workspaceThemes,
} from '@stoa/core';
import { z } from 'zod';
import { type ExportedKind, exportedKinds } from '../ports/exports.ts';

/** docs/export-format.md describes it for third-party programs. */
export const exportFormat = 'stoa-export-1';
export const entryNames = {
  header: 'stoa-export.json',
  image: 'workspace-image',
  records: (kind: RecordKind) => `records/${kind}.jsonl`,
  file: (name: string) => `files/${name}`,
  content: (hash: string) => `contents/${hash}`,
} as const;

/** In the order in which they appear in the tar. */
export const recordKinds = ['people', ...exportedKinds] as const;
export type RecordKind = 'people' | ExportedKind;

export const headerMaxBytes = 1024 * 1024;
/** Bytes in one line: a comment of 64 KiB, each of its characters written as six. */
export const lineMaxBytes = 1024 * 1024;

const whole = z.int().nonnegative();
const positive = z.int().positive();
const time = z.iso.datetime({ precision: 3 });
const hash = z.string().refine(isContentHash, 'is not a SHA-256 in lower-case hexadecimal digits');
const rejects = (parse: (text: string) => unknown) => (text: string) => {
  try {
    parse(text);
    return false;
  } catch (error) {
    if (error instanceof WorkspaceError) return true;
    throw error;
  }
};
const path = z
  .string()
  .max(1024)
  .refine((text) => !rejects((each) => parseWorkspacePath(each))(text) && parseWorkspacePath(text) === text, {
    message: 'is not a path in its canonical form',
  });
const person = z.int().positive();
/** The rule for names in every form: people read them, and terminals print them. */
const line = (maxCharacters: number) =>
  z.string().max(maxCharacters).refine(isVisibleLine, 'must not contain control characters');
const label = line(1000).nullable();
const made = {
  principal: z.enum(principals),
  person,
  keyId: label,
  keyLabel: label,
  createdAt: time,
} as const;
const content = {
  size: whole,
  contentType: z.string().refine(isMediaType, 'is not a media type'),
  contentHash: hash,
} as const;
const icon = z
  .string()
  .max(nodeIconMaxCharacters)
  .refine((text) => !rejects(parseIcon)(text), 'is not an icon');
const context = z.string().max(10_000);

/** One line of each file of records. */
export const recordShapes = {
  people: z.strictObject({
    person,
    name: line(1000),
    /** Null for an account that an import created for a user without an account here. */
    email: line(1000).nullable(),
    role: z.enum(memberRoles).nullable(),
    joinedAt: time.nullable(),
    joinedSeq: whole.nullable(),
    removedAt: time.nullable(),
  }),
  contents: z.strictObject({ contentHash: hash, size: whole }),
  changes: z.strictObject({
    seq: positive,
    path,
    op: z.enum(changeOps),
    version: positive.nullable(),
    contentHash: hash.nullable(),
    ...made,
    movedFrom: path.nullable(),
    conflictOf: path.nullable(),
    conflictBase: positive.nullable(),
    onlyPerson: person.nullable(),
    exceptPerson: person.nullable(),
  }),
  versions: z.strictObject({
    incarnation: positive,
    version: positive,
    path,
    ...content,
    op: z.enum(['write', 'move', 'conflict', 'restore']),
    ...made,
    movedFromPath: path.nullable(),
    movedFromIncarnation: positive.nullable(),
    conflictOf: path.nullable(),
    conflictBase: positive.nullable(),
    conflictBaseHash: hash.nullable(),
  }),
  files: z.strictObject({ path, incarnation: positive, version: positive, ...content }),
  threads: z.strictObject({
    seq: positive,
    path,
    ...made,
    pinnedVersion: positive,
    pinnedContentHash: hash,
    pinnedSize: whole,
    anchorStart: whole,
    anchorEnd: whole,
    anchor: z.discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('range'),
        quote: context,
        contextBefore: context,
        contextAfter: context,
      }),
      z.strictObject({ kind: z.literal('point'), contextBefore: context, contextAfter: context }),
    ]),
    body: z.string().max(64 * 1024),
    resolvedAt: time.nullable(),
    resolvedAtVersion: positive.nullable(),
    resolvedBy: person.nullable(),
  }),
  replies: z.strictObject({
    thread: positive,
    seq: positive,
    dedupeKey: z.string().max(10_000).nullable(),
    ...made,
    body: z.string().max(64 * 1024),
  }),
  icons: z.strictObject({ path, icon }),
  orders: z.strictObject({ path, position: z.int() }),
  privacy: z.strictObject({ path, kind: z.enum(nodeKinds), person, implied: z.boolean() }),
} as const;

export type ExportRecord<Kind extends RecordKind = RecordKind> = z.infer<(typeof recordShapes)[Kind]>;

const recordsShape = z.strictObject({ lines: whole, bytes: whole, sha256: hash });
export type RecordsSummary = z.infer<typeof recordsShape>;

export const headerShape = z.strictObject({
  format: z.literal(exportFormat),
  exportedAt: time,
  workspace: z.strictObject({
    id: line(200),
    name: line(workspaceNameMaxCharacters * 2).refine(
      (text) => hasCharacters(text, { min: 1, max: workspaceNameMaxCharacters }),
      'is empty or too long',
    ),
    icon: z
      .string()
      .max(200)
      .refine((text) => imageHashOf(text) !== null || !rejects(parseIcon)(text), 'is not an icon')
      .nullable(),
    color: z.enum(workspaceColors).nullable(),
    theme: z.enum(workspaceThemes).nullable(),
    themeCss: z.string().max(themeCssMaxBytes).nullable(),
    createdAt: time,
    head: whole,
  }),
  image: z
    .strictObject({ contentHash: hash, size: whole.max(workspaceImageMaxBytes) })
    .refine(({ size }) => size > 0)
    .nullable(),
  records: z.strictObject(
    // One for each kind, which the type of `Object.fromEntries` does not express.
    Object.fromEntries(recordKinds.map((kind) => [kind, recordsShape])) as Record<
      RecordKind,
      typeof recordsShape
    >,
  ),
});
export type ExportHeader = z.infer<typeof headerShape>;

/** An export that cannot be made or imported; its message says why, and what to do. */
export class RejectedExport extends Error {
  override readonly name = 'RejectedExport';
}
