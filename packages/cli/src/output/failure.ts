import { type ExitCode, exitCodes } from './exit-codes.ts';

/** Why a run ends without having done what was asked: what happened, to what, and what to do next. */
export class Failure extends Error {
  override readonly name = 'Failure';
  /** One word for programs. */
  readonly code: string;
  readonly exit: ExitCode;
  /** The next command, or what else helps; null where nothing is to be done. */
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
