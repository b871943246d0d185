import { readFile, writeFile } from 'node:fs/promises';

/** Resident memory of one process, in bytes. */
export interface Memory {
  readonly nowBytes: number;
  /** The peak since `resetPeak`. */
  readonly peakBytes: number;
}

/** Reads the memory of a process on Linux; null on systems without /proc. */
export async function readMemory(pid: number): Promise<Memory | null> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => null);
  if (text === null) return null;
  const kibibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]);
  return { nowBytes: kibibytes('VmRSS') * 1024, peakBytes: kibibytes('VmHWM') * 1024 };
}

/** Resets the peak to the current memory of the process. */
export async function resetPeak(pid: number): Promise<void> {
  const resetPeakCommand = '5';
  await writeFile(`/proc/${pid}/clear_refs`, resetPeakCommand);
}
