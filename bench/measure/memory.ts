import { readFile, writeFile } from 'node:fs/promises';

/** Resident memory of one process, in bytes. */
export interface Memory {
  readonly nowBytes: number;
  /** The most since `resetPeak`. */
  readonly peakBytes: number;
}

/** Reads what Linux counts for the process; null on systems that have no /proc. */
export async function readMemory(pid: number): Promise<Memory | null> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => null);
  if (text === null) return null;
  const kibibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]);
  return { nowBytes: kibibytes('VmRSS') * 1024, peakBytes: kibibytes('VmHWM') * 1024 };
}

/** Starts the peak anew from what the process holds now. */
export async function resetPeak(pid: number): Promise<void> {
  const resetPeakCommand = '5';
  await writeFile(`/proc/${pid}/clear_refs`, resetPeakCommand);
}
