/** Exit codes (docs/cli.md, For scripts). */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  noFolder: 3,
  rejected: 4,
  unreachable: 5,
  conflict: 6,
  held: 7,
  skipped: 8,
  busy: 9,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const gravestFirst: readonly ExitCode[] = [4, 5, 7, 6, 8];

/** The most severe of several exit codes. */
export function gravest(codes: Iterable<ExitCode>): ExitCode {
  const all = new Set(codes);
  return gravestFirst.find((code) => all.has(code)) ?? exitCodes.done;
}

/** The exit codes that shells expect after a signal. */
export const signalExitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
