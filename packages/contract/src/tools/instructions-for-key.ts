import type { KeyAccess } from '@stoa/core';
import { extendedInstructions } from './extended-instructions.ts';
import { agentsGuideText, instructions } from './instructions.ts';
import type { ToolSetName } from './tools.ts';

/** The user of a connection, and what the key may do. */
export interface ConnectedKey {
  /** The key's name, or null. */
  readonly label: string | null;
  readonly userName: string;
  /** Null for all workspaces of the user. */
  readonly workspace: { readonly name: string; readonly isReadOnly: boolean } | null;
  readonly access: KeyAccess;
  /** The path to which the key is restricted, like `drafts/`; null for the whole workspace. */
  readonly reach: string | null;
}

/** Longer names are cut, so that the instructions stay within the limit of clients. */
const shownCharacters = 32;

/**
 * Returns the instructions that a client gives its agent when it connects with this key (interface: mcp,
 * Instructions).
 */
export function instructionsFor(set: ToolSetName, key: ConnectedKey): string {
  const common = set === 'standard' ? instructions : extendedInstructions;
  const fitting = key.reach === null ? common : common.replace(`${agentsGuideText}\n\n`, '');
  return `${greeting(key)}\n\n${fitting}`;
}

function greeting({ label, userName, workspace, access, reach }: ConnectedKey): string {
  const person = shown(userName);
  const who = label === null ? `You act for ${person}` : `You are ${shown(label)}, for ${person}`;
  const where = workspace === null ? '' : `, in ${shown(workspace.name)}`;
  const limits = limitsText(access, reach);
  return [
    `${who}${where}.`,
    ...(limits === null ? [] : [limits]),
    ...(workspace?.isReadOnly === true ? ['The workspace is read-only: writes fail.'] : []),
  ].join(' ');
}

function limitsText(access: KeyAccess, reach: string | null): string | null {
  const may = {
    read: 'may read, but not change anything',
    comment: 'may read and comment, but not change anything else',
    write: 'may write there',
  }[access];
  if (reach !== null) return `This key reaches ${shown(reach)} only, and ${may}.`;
  return access === 'write' ? null : `This key ${may}.`;
}

function shown(text: string): string {
  const characters = [...text];
  return characters.length <= shownCharacters
    ? text
    : `${characters.slice(0, shownCharacters - 1).join('')}…`;
}
