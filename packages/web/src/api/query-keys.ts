/** The keys of what is asked by query, in one place, so that whoever changes something knows what to ask again. */
export const queryKeys = {
  me: ['me'],
  session: ['session'],
  signUp: ['sign-up'],
  sessions: ['sessions'],
  signInWays: ['sign-in-ways'],
  workspaces: ['workspaces'],
  keys: ['keys'],
  keptTexts: (userId: string) => ['kept-texts', userId],
  workspace: (workspaceId: string) => ['workspace', workspaceId],
  members: (workspaceId: string) => ['workspace', workspaceId, 'members'],
  invitePreview: (token: string) => ['invite', token],
  departed: (workspaceId: string) => ['workspace', workspaceId, 'departed'],
  invites: (workspaceId: string) => ['workspace', workspaceId, 'invites'],
  usage: (workspaceId: string) => ['workspace', workspaceId, 'usage'],
  shares: (workspaceId: string, path?: string) =>
    path === undefined ? ['workspace', workspaceId, 'shares'] : ['workspace', workspaceId, 'shares', path],
  threads: (workspaceId: string, path?: string) =>
    path === undefined ? ['workspace', workspaceId, 'threads'] : ['workspace', workspaceId, 'threads', path],
  versions: (workspaceId: string, path: string) => ['workspace', workspaceId, 'versions', path],
  blame: (workspaceId: string, path: string) => ['workspace', workspaceId, 'blame', path],
  version: (workspaceId: string, path: string, version: number, contentHash?: string) => [
    'workspace',
    workspaceId,
    'version',
    path,
    version,
    contentHash ?? '',
  ],
  file: (workspaceId: string, path: string) => ['workspace', workspaceId, 'file', path],
  undoPreview: (workspaceId: string, wish: unknown) => ['workspace', workspaceId, 'undo-preview', wish],
  activity: (workspaceId: string) => ['workspace', workspaceId, 'activity'],
} as const;
