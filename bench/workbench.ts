import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const stopDeadlineMs = 15_000;

/** The processes and files of a run. Disposing of it ends each process by its id and removes each directory. */
export interface Workbench extends AsyncDisposable {
  /** Makes a directory that lasts as long as the bench, with mode 0755: a control may run as another user. */
  readonly directory: (name: string) => Promise<string>;
  /** Takes over a process, to end it with the bench, first by SIGTERM. */
  readonly keep: (child: ChildProcess) => void;
  /** Takes over a disposable resource. The bench disposes of resources after its processes, the latest first. */
  readonly keepResource: (resource: AsyncDisposable) => void;
  /** Ends one process that the bench has taken over, and waits for its end. */
  readonly end: (child: ChildProcess) => Promise<void>;
}

export async function openWorkbench(): Promise<Workbench> {
  const root = await mkdtemp(join(tmpdir(), 'stoa-bench-'));
  await chmod(root, 0o755);
  const running = new Set<ChildProcess>();
  const resources: AsyncDisposable[] = [];
  let made = 0;
  let closed = false;
  const end = async (child: ChildProcess) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), stopDeadlineMs);
    await ended;
    clearTimeout(timer);
  };
  return {
    async directory(name) {
      if (closed) throw new Error('the bench is ending');
      made += 1;
      const path = join(root, `${made}-${name}`);
      await mkdir(path);
      return path;
    },
    keep(child) {
      // Started while the bench ends: no other code would end it later.
      if (closed) child.kill('SIGKILL');
      running.add(child);
      child.once('exit', () => running.delete(child));
    },
    keepResource: (resource) => void resources.push(resource),
    end,
    async [Symbol.asyncDispose]() {
      closed = true;
      await Promise.all([...running].map(end));
      for (const resource of resources.splice(0).reverse()) await resource[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}
