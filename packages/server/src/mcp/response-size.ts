/**
 * Limits of a response's text after its first line of facts: clients show at most 40,000 characters and 60,000 bytes.
 */
export const responseMax = { maxCharacters: 38_500, maxBytes: 56_000 } as const;
