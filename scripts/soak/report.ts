import { appendFile, readFile } from 'node:fs/promises';
import type { RoundResult } from '../testing/run-rounds.ts';
import { soakRuns } from './soak-runs.ts';

/** One complete or partial soak run, as a line of the report. */
export interface Part {
  readonly soak: string;
  readonly commit: string;
  readonly startedAt: string;
  readonly seconds: number;
  /** The share of the full size, 1 for all of it. */
  readonly share: number;
  readonly sizes: Readonly<Record<string, string>>;
  readonly results: readonly RoundResult[];
}

export async function addToReport(report: string, chunk: Part): Promise<void> {
  await appendFile(report, `${JSON.stringify(chunk)}\n`);
}

/** Reads a report; a missing report has no runs. @throws Error naming an invalid line. */
export async function readReport(report: string): Promise<readonly Part[]> {
  const text = await readFile(report, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line, at) => {
    try {
      return JSON.parse(line) as Part;
    } catch {
      throw new Error(`line ${at + 1} of ${report} is invalid: ${line.slice(0, 80)}`);
    }
  });
}

/** Formats the totals of a report with a row for each soak run, also for those that never ran. */
export function summaryOf(chunks: readonly Part[]): string {
  const rows = soakRuns.map(({ name, says, sizes }) => {
    const own = chunks.filter(({ soak: soakRun }) => soakRun === name);
    const share = own.reduce((sum, chunk) => sum + chunk.share, 0);
    const results = own.flatMap((chunk) => chunk.results);
    const size = Object.entries(sizes).map(([variable, whole]) => `${variable}=${whole}`);
    const hours = own.reduce((sum, { seconds }) => sum + seconds, 0) / 3600;
    const seen = own.length === 0 ? 'never run' : `${Math.round(share * 100)} %`;
    const cells = [name, says, size.join(' '), seen, String(own.length), hours.toFixed(1)];
    const passed = results.reduce((sum, result) => sum + result.passed, 0);
    const failed = results.flatMap(({ failures }) => failures).length;
    const skipped = results.flatMap(({ skips }) => skips).length;
    const counts = own.length === 0 ? ['', '', ''] : [passed, failed, skipped];
    return `| ${[...cells, ...counts].join(' | ')} |`;
  });
  return [
    '| Soak run | Shows | Full size | Done | Runs | Hours | Passed | Failed | Skipped |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
