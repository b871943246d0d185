import { readdir, readFile } from 'node:fs/promises';

/** What Linux counts processor time in, on every machine that Node runs on. */
const ticksPerSecond = 100;

/** Processor time that a process and its children have used, in seconds; null on systems that have no /proc. */
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
  // A process may end between the listing and the reading.
  const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  // The second field is the program's name in parentheses and may hold anything; the third is the state.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { pid: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
}
