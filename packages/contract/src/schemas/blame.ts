import { principals } from '@stoa/core';
import { z } from 'zod';
import { fileVersion, hash, isoTime, pathInResponse } from './path.ts';

const writtenLines = z
  .object({
    from: z.int().min(1).meta({ description: 'The first line, from 1.' }),
    to: z.int().min(1).meta({ description: 'The last line.' }),
    version: fileVersion,
    createdAt: isoTime,
    principal: z.enum(principals),
    actorId: z.string(),
    actorKeyId: z.string().nullable(),
    actorLabel: z.string().nullable(),
    movedFrom: pathInResponse
      .optional()
      .meta({ description: 'Of a version from before a move: the path at which it was written.' }),
    orEarlier: z
      .literal(true)
      .optional()
      .meta({ description: 'The version is the oldest that was looked at: the lines may be older.' }),
  })
  .meta({ id: 'WrittenLines' });
export type WrittenLinesRecord = z.infer<typeof writtenLines>;

export const fileBlame = z
  .object({
    path: pathInResponse,
    version: fileVersion,
    contentHash: hash,
    lines: z.array(writtenLines).meta({ description: 'In order, together all lines.' }),
  })
  .meta({ id: 'FileBlame' });
