import { type NodeKind, nodeIconMaxCharacters, nodeKinds, nodeOrderMaxPaths } from '@stoa/core';
import { z } from 'zod';
import { pathInResponse, requestPath } from './path.ts';
import { line } from './text.ts';

export const nodeIconBody = z
  .object({
    path: requestPath('A file or a folder.'),
    icon: line(
      { min: 0, max: nodeIconMaxCharacters },
      'An emoji or the name of an icon. Empty or null clears it.',
    )
      .nullable()
      .transform((icon) => (icon === '' ? null : icon)),
  })
  .meta({ id: 'SetNodeIcon' });

export const nodeIcon = z
  .object({ ok: z.literal(true), path: pathInResponse, icon: z.string().nullable() })
  .meta({ id: 'NodeIcon' });

export type { NodeKind };
export const nodeKind = z.enum(nodeKinds, { error: `must be ${nodeKinds.join(' or ')}` });

export const nodePrivateBody = z
  .object({
    path: requestPath('A file that exists, or a folder, which need not exist yet.'),
    kind: nodeKind,
    private: z.boolean({ error: 'must be true or false' }).meta({
      description: 'True: for the caller alone. False: shared again, which only its owner may do.',
    }),
  })
  .meta({ id: 'SetNodePrivate' });

export const nodePrivate = z
  .object({ ok: z.literal(true), path: pathInResponse, kind: nodeKind, private: z.boolean() })
  .meta({ id: 'NodePrivate' });

export const nodeOrderBody = z
  .object({
    paths: z
      .array(requestPath('A file or a folder.'), { error: 'must be a list of paths' })
      .max(nodeOrderMaxPaths, { error: `must be at most ${nodeOrderMaxPaths} paths` })
      .meta({ description: 'In the wanted order. Paths that are not there are passed over.' }),
  })
  .meta({ id: 'SetNodeOrder' });

export const nodeOrder = z
  .object({ ok: z.literal(true), orders: z.record(z.string(), z.int()) })
  .meta({ id: 'NodeOrder' });
