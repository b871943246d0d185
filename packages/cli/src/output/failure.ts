import { type ExitCode, exitCodes } from './exit-codes.ts';

/** Why a run ends early: what failed, on which object, and what to do next. */
export class Failure extends Error {
  override readonly name = 'Failure';
  /** A code for programs. */
  readonly code: string;
  readonly exit: ExitCode;
  /** The next command or other advice; null without any. */
  readonly next: string | null;

  constructor(facts: {
    readonly code: string;
    readonly exit?: ExitCode;
    readonly message: string;
    readonly next: string | null;
    readonly cause?: unknown;
  }) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.exit = facts.exit ?? exitCodes.failed;
    this.next = facts.next;
  }
}
