import { memberRoles, workspaceColors, workspaceNameMaxCharacters, workspaceThemes } from '@stoa/core';
import { z } from 'zod';
import { themeCssMaxBytes, workspaceIconMaxCharacters } from '../limits.ts';
import { narrowness } from './key.ts';
import { line, visibleName } from './text.ts';

const utf8 = new TextEncoder();

export const workspaceColor = z.enum(workspaceColors);
const workspaceTheme = z.enum(workspaceThemes);
export const memberRole = z.enum(memberRoles);

/** A workspace as members see it (interface: workspaces, Workspace). */
export const workspaceRecord = z
  .object({
    id: z.string(),
    name: z.string(),
    icon: z
      .string()
      .nullable()
      .meta({ description: 'An emoji, the name of an icon, or the address of an image.' }),
    color: workspaceColor.nullable(),
    theme: workspaceTheme.nullable(),
    themeCss: z.string().nullable(),
  })
  .meta({ id: 'Workspace' });
export type WorkspaceRecord = z.infer<typeof workspaceRecord>;

export const ownWorkspaceRecord = workspaceRecord
  .extend({ role: memberRole.meta({ description: "The caller's role in this workspace." }) })
  .meta({ id: 'OwnWorkspace' });
export type OwnWorkspaceRecord = z.infer<typeof ownWorkspaceRecord>;

export const workspaceList = z
  .object({ workspaces: z.array(ownWorkspaceRecord) })
  .meta({ id: 'WorkspaceList' });

export const workspaceReference = z
  .object({
    id: z.string(),
    name: z.string(),
    key: z.object(narrowness).optional().meta({ description: 'The restrictions of the key, if any.' }),
  })
  .meta({ id: 'WorkspaceReference' });

const name = visibleName({ min: 1, max: workspaceNameMaxCharacters }, 'The name that its members see.');
const icon = line(
  { min: 0, max: workspaceIconMaxCharacters },
  'An emoji or the name of an icon; an image has to be uploaded. Empty or null clears it.',
)
  .nullable()
  .transform(emptyToNull);
const color = oneOfOrCleared(workspaceColors);
const theme = oneOfOrCleared(workspaceThemes);
const themeCss = z
  .string({ error: 'must be a text' })
  .refine((text) => utf8.encode(text).length <= themeCssMaxBytes, {
    error: `must be at most ${themeCssMaxBytes} bytes of UTF-8`,
  })
  .refine((text) => text.isWellFormed() && !text.includes('\0'), { error: 'must not hold null bytes' })
  .meta({
    description: `Custom theme CSS, at most ${themeCssMaxBytes} bytes; parts that could load or run something are removed. Empty or null clears it.`,
  })
  .nullable()
  .transform(emptyToNull);

export const createWorkspaceBody = z
  .object({ name, icon: icon.optional(), color: color.optional() })
  .meta({ id: 'CreateWorkspace' });
export type CreateWorkspaceInput = z.input<typeof createWorkspaceBody>;

/** Fields that are absent stay unchanged; null in the output clears a field. */
export const updateWorkspaceBody = z
  .object({ name, icon, color, theme, themeCss })
  .partial()
  .meta({ id: 'UpdateWorkspace' });
export type UpdateWorkspaceInput = z.input<typeof updateWorkspaceBody>;

/** The response to an uploaded image. */
export const workspaceIcon = z
  .object({ icon: z.url().meta({ description: "The image's address, for members." }) })
  .meta({ id: 'WorkspaceIcon' });

/** Above the plan's limit of workspaces: 402. */
export const workspaceLimitExceeded = z
  .object({ error: z.literal('workspace_limit_exceeded'), used: z.int(), limit: z.int() })
  .meta({ id: 'WorkspaceLimitExceeded' });

function oneOfOrCleared<const Values extends readonly [string, ...string[]]>(values: Values) {
  const expected = `must be one of ${values.join(', ')}, or empty to clear it`;
  return z
    .enum([...values, ''], { error: expected })
    .nullable()
    .transform((value): Values[number] | null => (value === '' ? null : value))
    .meta({ description: 'Empty or null clears it.' });
}

function emptyToNull(value: string | null): string | null {
  return value === '' ? null : value;
}
