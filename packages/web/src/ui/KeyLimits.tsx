import { type KeyAccess, parseWorkspacePath, WorkspaceError } from '@stoa/core';
import { keyLimits as texts } from '../text/en/keys.ts';
import { Field, Select } from './Field.tsx';

/** What a person limits a key to, as it stands in the fields. */
export interface KeyLimits {
  readonly access: KeyAccess;
  /** Empty: the whole workspace. */
  readonly path: string;
  /** Empty: no end. */
  readonly days: string;
}

export const noLimits: KeyLimits = { access: 'write', path: '', days: '' };

/** The fields that make a key a narrow one. A path is of one workspace: without one its field is not there. */
export function KeyLimitFields({
  limits,
  hasWorkspace,
  pathWrongBy,
  onChange,
}: {
  readonly limits: KeyLimits;
  readonly hasWorkspace: boolean;
  /** The id of the form's alert, when that is about the path. */
  readonly pathWrongBy: string | undefined;
  onChange(limits: KeyLimits): void;
}) {
  return (
    <>
      <Select
        label={texts.may}
        value={limits.access}
        onChange={(access) => onChange({ ...limits, access: accessOf(access) })}
        options={[
          { value: 'write', label: texts.write },
          { value: 'comment', label: texts.comment },
          { value: 'read', label: texts.read },
        ]}
      />
      {hasWorkspace ? (
        <Field
          label={texts.onlyIn}
          description={texts.onlyInDescription}
          wrongBy={pathWrongBy}
          value={limits.path}
          onChange={(event) => onChange({ ...limits, path: event.target.value })}
        />
      ) : null}
      <Select
        label={texts.ends}
        value={limits.days}
        onChange={(days) => onChange({ ...limits, days })}
        options={[
          { value: '', label: texts.never },
          ...[7, 30, 90, 365].map((days) => ({ value: String(days), label: texts.after(days) })),
        ]}
      />
    </>
  );
}

/** Whether a key can be limited to what was typed: nothing, or a path. */
export function isKeyPath(typed: string): boolean {
  try {
    if (typed.trim() !== '') parseWorkspacePath(typed.trim());
    return true;
  } catch (error) {
    if (error instanceof WorkspaceError) return false;
    throw error;
  }
}

function accessOf(value: string): KeyAccess {
  return value === 'read' || value === 'comment' ? value : 'write';
}

/** The fields of a request: what is not limited is left out. */
export function keyLimitsOf(
  { access, path, days }: KeyLimits,
  hasWorkspace: boolean,
): { readonly access?: KeyAccess; readonly path?: string; readonly expiresInDays?: number } {
  return {
    ...(access === 'write' ? {} : { access }),
    ...(path.trim() === '' || !hasWorkspace ? {} : { path: path.trim() }),
    ...(days === '' ? {} : { expiresInDays: Number(days) }),
  };
}
