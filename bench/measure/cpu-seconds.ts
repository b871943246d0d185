import { readdir, readFile } from 'node:fs/promises';

/** The unit of processor time on Linux, on every machine that Node supports. */
const ticksPerSecond = 100;

/** Returns the processor time of a process and its children, in seconds; null on systems without /proc. */
export async function readCpuSeconds(pid: number): Promise<number | null> {
  const names = await readdir('/proc').catch(() => null);
  if (names === null) return null;
  const stats = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(readStat));
  let ticks = 0;
  for (const stat of stats) {
    if (stat !== null && (stat.pid === pid || stat.parent === pid)) ticks += stat.ticks;
  }
  return ticks / ticksPerSecond;
}

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
}

async function readStat(name: string): Promise<Stat | null> {
  // A process may end after it was listed.
  const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  // The second field is the program's name in parentheses and may contain anything. The third is the state.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { pid: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
}
