import { shareAccesses, sharePasswordMaxCharacters, sharesListedMax } from '@stoa/core';
import { z } from 'zod';
import { nodeKind } from './node.ts';
import { fileVersion, hash, isoTime, pathInResponse, requestPath } from './path.ts';

const access = z.enum(shareAccesses, { error: `must be ${shareAccesses.join(' or ')}` });
const allowScripts = z.boolean({ error: 'must be true or false' });
const passwordRule = `must be 1 to ${sharePasswordMaxCharacters} characters`;

export const createShareBody = z
  .object({
    path: requestPath('A file, or a folder that is not empty.'),
    kind: nodeKind,
    access: access.meta({
      description: 'Audience of the link: members of the workspace, or everyone who has it.',
    }),
    password: z
      .string({ error: passwordRule })
      .min(1, { error: passwordRule })
      .max(sharePasswordMaxCharacters, { error: passwordRule })
      .nullish()
      .meta({ description: 'Required of everyone who opens the link.' }),
    pinnedVersion: z
      .int({ error: 'must be a version' })
      .min(1, { error: 'must be a version' })
      .nullish()
      .meta({ description: 'Shows this version of the file, whatever is written later.' }),
    pinnedContentHash: z
      .string({ error: 'must be a SHA-256 in lower-case hexadecimal' })
      .regex(/^[0-9a-f]{64}$/, { error: 'must be a SHA-256 in lower-case hexadecimal' })
      .nullish()
      .meta({ description: 'The hash of the pinned version.' }),
    allowScripts: allowScripts.nullish().meta({
      description: 'Whether an HTML file may run its scripts, cut off from this service. Never for a folder.',
    }),
  })
  .meta({ id: 'CreateShare' });
export type CreateShareBody = z.output<typeof createShareBody>;

export const updateShareBody = z
  .object({ allowScripts: allowScripts.meta({ description: 'Whether an HTML file may run its scripts.' }) })
  .meta({ id: 'UpdateShare' });

/** The password of a link, as the link's page sends it. */
export const unlockShareBody = z.object({
  password: z
    .string({ error: passwordRule })
    .min(1, { error: passwordRule })
    .max(sharePasswordMaxCharacters, { error: passwordRule }),
});

const address = z.url().nullable().meta({
  description: 'Null if the server lost the secret behind its addresses; existing links still open.',
});

/** A link as members see it (interface: shares, Share record). */
export const shareRecord = z
  .object({
    id: z.string(),
    path: pathInResponse,
    kind: nodeKind,
    access,
    url: address,
    memberUrl: address,
    hasPassword: z.boolean(),
    pinnedVersion: fileVersion.nullable(),
    pinnedContentHash: hash.nullable(),
    allowScripts: z.boolean(),
    createdBy: z.string().meta({ description: "A person's id." }),
    createdAt: isoTime,
    viewCount: z.int(),
  })
  .meta({ id: 'Share' });
export type ShareRecord = z.infer<typeof shareRecord>;

export const shareResponse = z.object({ share: shareRecord }).meta({ id: 'ShareAnswer' });

export const shareList = z
  .object({
    shares: z.array(shareRecord).meta({
      description: `Links to exactly this path, oldest first; without a path the newest ${sharesListedMax} of the workspace, newest first.`,
    }),
    inherited: z.array(shareRecord).meta({ description: 'Links to folders above it. Empty without a path.' }),
    truncated: z
      .boolean()
      .optional()
      .meta({ description: 'Only without a path: whether there are more links than are listed.' }),
  })
  .meta({ id: 'ShareList' });
