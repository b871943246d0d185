import type { HeaderLines } from '../load/load-job.ts';

/** One server that takes part in a comparison, listening on loopback. */
export interface Side extends AsyncDisposable {
  readonly name: string;
  readonly port: number;
  /** The started process, to which its children belong. */
  readonly pid: number;
  /** The address of files, `root` before their path, and the headers of requests for them. */
  readonly files: { readonly root: string; readonly headers: HeaderLines };
}

/** A control that cannot run here, and the command that installs it. */
export interface MissingSide {
  readonly name: string;
  readonly install: string;
}

export type OptionalSide =
  | { readonly kind: 'side'; readonly side: Side }
  | { readonly kind: 'missing'; readonly missing: MissingSide };

/** The controls of one case, whether they can run here or not. Disposing of them ends the running ones. */
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

/** Returns the folders for the load generator's numbered files, one per connection. */
export function connectionFolders(connections: number): readonly string[] {
  return Array.from({ length: connections }, (_, index) => `c${String(index).padStart(2, '0')}`);
}
