/** Names of users, agents and keys. */
export const people = {
  agent: (label: string) => `${label} (agent)`,
  keyOf: (label: string) => `${label} (key)`,
  /** A key without a label. */
  key: 'API key',
  formerMember: 'Former member',
  somebody: 'Someone',
} as const;
