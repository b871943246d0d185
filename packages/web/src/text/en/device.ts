import { keyNameMaxCharacters } from '@stoa/core';

/** Texts of the page that links a device. */
export const device = {
  title: 'Link a device',
  intro: 'Enter the code shown in your terminal.',
  code: 'Code',
  continue: 'Continue',
  compare: 'Approve only if your device shows this code.',
  askedFrom: 'Asked from',
  by: 'By',
  at: 'At',
  unnamedProgram: 'an unnamed program',
  sentByOthers: 'Did someone send you this code? Deny it: they would get access to your files.',
  workspace: 'Workspace',
  keyName: 'Name of the key',
  usedBy: 'For',
  human: 'My own computer',
  agent: 'An AI agent',
  wholeWorkspace: 'A linked folder syncs the whole workspace: its key can read and change everything.',
  approve: 'Approve',
  deny: 'Deny',
  approved: 'Approved. You can return to your terminal.',
  denied: 'Denied. The device gets no access.',
  approvedAlready: 'Already approved. The device has not fetched its key yet.',
  noWorkspace: 'You have no workspace yet. Create one or accept an invite, then come back.',
  createWorkspace: 'Create a workspace',
} as const;

/** Error messages by error code, or by status where the response has no code. */
export const deviceNotices: Readonly<Record<string, string>> = {
  invalid_grant: 'Unknown code. Check it on your device, or start again there.',
  expired_token: 'This code has expired. Start again on your device.',
  already_consumed: 'This code was already used. Start again on your device.',
  access_denied: 'This code was denied. Start again on your device.',
  '409': 'This code was already approved for another workspace.',
  '429': 'Too many attempts. Try again in a few minutes.',
  '404': 'That workspace is gone. Choose another one.',
  '403': 'You are not a member of that workspace. Choose another one.',
  '400': `The name of the key must be one line of at most ${keyNameMaxCharacters} characters.`,
};
