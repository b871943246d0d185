/**
 * What a text of an answer may have beside a first line of facts: clients show at most 40,000 characters and 60,000 bytes
 * whole.
 */
export const answerMax = { maxCharacters: 38_500, maxBytes: 56_000 } as const;
