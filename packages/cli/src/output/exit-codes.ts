/** What a run ends with (docs/cli.md, Exit codes). */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  noFolder: 3,
  refused: 4,
  unreachable: 5,
  conflict: 6,
  held: 7,
  leftOut: 8,
  busy: 9,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const gravestFirst: readonly ExitCode[] = [4, 5, 7, 6, 8];

/** Of several things that a run has to tell, the one that its exit code tells. */
export function gravest(codes: Iterable<ExitCode>): ExitCode {
  const all = new Set(codes);
  return gravestFirst.find((code) => all.has(code)) ?? exitCodes.done;
}

/** What a shell expects of a program that a signal ended. */
export const signalExitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
