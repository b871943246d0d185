import type { HeaderLines } from '../load/load-job.ts';

/** One server that takes part in a comparison, listening on loopback. */
export interface Side extends AsyncDisposable {
  readonly name: string;
  readonly port: number;
  /** The process that was started; its children belong to it. */
  readonly pid: number;
  /** Where files are written and read: `root` before a path of their own, with these headers. */
  readonly files: { readonly root: string; readonly headers: HeaderLines };
}

/** A control that cannot run here, and the one command that changes that. */
export interface MissingSide {
  readonly name: string;
  readonly install: string;
}

export type OptionalSide =
  | { readonly kind: 'side'; readonly side: Side }
  | { readonly kind: 'missing'; readonly missing: MissingSide };

/** The controls of one case that can run here, and those that cannot. Disposing of them ends the ones that run. */
export interface Controls extends AsyncDisposable {
  readonly all: readonly OptionalSide[];
  readonly running: readonly Side[];
}

export async function startControls(starts: readonly (() => Promise<OptionalSide>)[]): Promise<Controls> {
  const all: OptionalSide[] = [];
  for (const start of starts) all.push(await start());
  const running = all.flatMap((control) => (control.kind === 'side' ? [control.side] : []));
  return {
    all,
    running,
    async [Symbol.asyncDispose]() {
      for (const side of running) await side[Symbol.asyncDispose]();
    },
  };
}

/** The folders that the load generator writes its numbered files into, one per connection. */
export function connectionFolders(connections: number): readonly string[] {
  return Array.from({ length: connections }, (_, index) => `c${String(index).padStart(2, '0')}`);
}
