import { type KeyAccess, parseWorkspacePath, WorkspaceError } from '@stoa/core';
import { keyLimits as texts } from '../text/en/keys.ts';
import { Field, Select } from './Field.tsx';

/** The limits of a key, as in the form fields. */
export interface KeyLimits {
  readonly access: KeyAccess;
  /** Empty: the whole workspace. */
  readonly path: string;
  /** Empty: the key does not expire. */
  readonly days: string;
}

export const noLimits: KeyLimits = { access: 'write', path: '', days: '' };

/** The form fields that limit a key. The path field needs a workspace and is hidden without one. */
export function KeyLimitFields({
  limits,
  hasWorkspace,
  pathWrongBy,
  onChange,
}: {
  readonly limits: KeyLimits;
  readonly hasWorkspace: boolean;
  /** The id of the form's alert, if the alert concerns the path. */
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
      <KeyExpiryField limits={limits} onChange={onChange} />
    </>
  );
}

/** The form field for the expiry of a key. */
export function KeyExpiryField({
  limits,
  onChange,
}: {
  readonly limits: KeyLimits;
  onChange(limits: KeyLimits): void;
}) {
  return (
    <Select
      label={texts.ends}
      value={limits.days}
      onChange={(days) => onChange({ ...limits, days })}
      options={[
        { value: '', label: texts.never },
        ...[7, 30, 90, 365].map((days) => ({ value: String(days), label: texts.after(days) })),
      ]}
    />
  );
}

/** Whether the input is empty or a valid path. */
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

/** Converts the fields to request fields; omits those without a limit. */
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
