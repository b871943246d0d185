/** Texts of the page on which a device is let in. */
export const device = {
  title: 'Link a device',
  intro: 'A program on your device asks for a key to one of your workspaces. Type the code that it shows.',
  code: 'Code',
  continue: 'Continue',
  compare: 'Approve only if your device shows this code.',
  askedFrom: 'Asked from',
  by: 'By',
  at: 'At',
  unnamedProgram: 'an unnamed program',
  sentByOthers: 'Did somebody send you this code? Deny it: they would get access to your files.',
  workspace: 'Workspace',
  keyName: 'Name of the key',
  usedBy: 'Used by',
  human: 'Human (CLI)',
  agent: 'Agent (MCP)',
  approve: 'Approve',
  deny: 'Deny',
  approved: 'Approved. Go back to your device: it fetches its key by itself.',
  denied: 'Denied. The device gets no access.',
  approvedAlready: 'Already approved. The device has not fetched its key yet.',
  noWorkspace: 'You have no workspace yet. Make one, or accept an invite, and come back.',
  createWorkspace: 'Create a workspace',
} as const;

/** What refusals mean to a person here, by the name of the error or, where the answer has none, by its status. */
export const deviceNotices: Readonly<Record<string, string>> = {
  invalid_grant: 'There is no such code. Compare it with your device, or start again there.',
  expired_token: 'This code is too old. Start again on your device.',
  already_consumed: 'This code was used already. Start again on your device.',
  access_denied: 'This code was denied. Start again on your device.',
  '409': 'This code was already approved for another workspace.',
  '429': 'Too many tries. Wait a few minutes before the next one.',
  '404': 'That workspace is gone. Choose another one.',
  '403': 'You are not a member of that workspace. Choose another one.',
  '400': 'The name of the key must be one line of at most 100 characters.',
};
