import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { atMost, type BenchCase, type Row } from '../../bench-case.ts';
import { alternate, type Contestant, type Rounds } from '../../measure/alternate.ts';
import { compareRow, missingRow, resultsOf } from '../../measure/compare.ts';
import { type Measured, runMeasured } from '../../measure/run-measured.ts';
import { findProgram } from '../../sides/find-program.ts';
import { age } from '../../sync/make-tree.ts';
import { limitRow, unmeasuredRow } from '../../sync/rows.ts';
import { openSyncDesk } from '../../sync/sync-desk.ts';

const bytesUsual = 1024 * 1024 * 1024;
const growthBytesMax = 96 * 1024 * 1024;
const chunkBytes = 1024 * 1024;
const curlName = 'curl';
const control = { up: curlName, down: 'curl, then sync of the file' };
const missingCurl = { name: curlName, install: 'apt-get install curl' };

/** Transfers one large file both ways, and compares the memory with a sync that has nothing to do. */
export const syncLargeFile: BenchCase = {
  id: 'sync-large-file',
  measures: 'stoa sync of one file of 1 GiB, both ways, and the memory that it takes',
  async run(bench) {
    const { workbench, rounds } = bench;
    const bytes = Math.max(chunkBytes, Math.round(bytesUsual * bench.scale));
    await using desk = await openSyncDesk(bench, { STOA_MAX_FILE_BYTES: String(bytes) });
    const curl = await findProgram(curlName);
    const source = await makeLargeFile(await desk.makeFolder('large'), bytes);
    const expected = await hashOf(source);
    const idle: Measured[] = [];

    /** A run with nothing to do, then the one with the file. */
    const syncRound = (direction: 'up' | 'down'): Contestant<Measured> => ({
      name: 'stoa sync',
      async measure() {
        const workspace = await desk.makeWorkspace();
        const folder = await desk.link(workspace, null);
        idle.push(await desk.sync(folder));
        if (direction === 'up') await copyAged(source, join(folder, 'large.bin'));
        else await put(source, workspace.address, workspace.key);
        const run = await desk.sync(folder);
        assert.equal(run.report[direction], 1);
        if (direction === 'down') assert.equal(await hashOf(join(folder, 'large.bin')), expected);
        await desk.remove(folder);
        return run;
      },
    });
    const curlRound = (direction: 'up' | 'down'): Contestant<Measured>[] =>
      curl === null
        ? []
        : [
            {
              name: control[direction],
              async measure() {
                const workspace = await desk.makeWorkspace();
                const address = `${workspace.address}/files/large.bin`;
                const header = ['-sSf', '-H', `x-api-key: ${workspace.key}`];
                if (direction === 'up') {
                  const words = [...header, '-H', 'if-none-match: *', '-T', source, address];
                  return runMeasured(workbench, { command: curl, words });
                }
                await put(source, workspace.address, workspace.key);
                const location = await desk.makeFolder('curl');
                const target = join(location, 'large.bin');
                // The CLI ends only once the file would survive a power loss, so the control syncs as well.
                const both = 'file=$1; shift; "$@" && sync "$file"';
                const words = ['-c', both, 'sh', target, curl, ...header, '-o', target, address];
                const run = await runMeasured(workbench, { command: 'sh', words });
                await desk.remove(location);
                return run;
              },
            },
          ];
    const ups = await alternate([syncRound('up'), ...curlRound('up')], { rounds, settle: true });
    const downs = await alternate([syncRound('down'), ...curlRound('down')], { rounds, settle: true });
    const size = bytes >= bytesUsual ? `${bytes / bytesUsual} GiB` : `${Math.round(bytes / chunkBytes)} MiB`;
    const over = (direction: 'up' | 'down', rounds: Rounds<Measured>, limit: number): Row =>
      curl === null
        ? missingRow(`${size} ${direction}`, missingCurl, atMost(limit))
        : compareRow(
            `${size} ${direction}`,
            rounds,
            ['stoa sync', control[direction]],
            ({ seconds }) => seconds,
            atMost(limit),
          );
    const growth = (figure: string, rounds: Rounds<Measured>): Row => {
      const least = Math.min(...idle.map(({ peakBytes }) => peakBytes ?? Number.NaN));
      const peaks = resultsOf(rounds, 'stoa sync').map(({ peakBytes }) => (peakBytes ?? Number.NaN) - least);
      return peaks.some(Number.isNaN)
        ? unmeasuredRow(figure, '96 MiB', 'this system has no /proc', atMost(1))
        : limitRow(figure, '96 MiB', peaks, growthBytesMax);
    };
    return {
      rows: [
        over('up', ups, 1.25),
        over('down', downs, 1.5),
        growth(`memory for ${size} up, above a sync without changes`, ups),
        growth(`memory for ${size} down, above a sync without changes`, downs),
      ],
      raw: { ups: Object.fromEntries(ups), downs: Object.fromEntries(downs), idle },
    };
  },
};

async function makeLargeFile(location: string, bytes: number): Promise<string> {
  const file = join(location, 'large.bin');
  await pipeline(function* () {
    const chunk = Buffer.alloc(chunkBytes);
    for (let at = 0; at < bytes; at += chunkBytes) {
      // All chunks differ, so that no layer can deduplicate them.
      for (let word = 0; word < chunkBytes; word += 4096) chunk.writeDoubleLE(at + word, word);
      yield Buffer.from(chunk.subarray(0, Math.min(chunkBytes, bytes - at)));
    }
  }, createWriteStream(file));
  await age([file]);
  return file;
}

async function copyAged(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createWriteStream(to));
  await age([to]);
}

async function put(file: string, address: string, key: string): Promise<void> {
  const { size } = await stat(file);
  const { openAsBlob } = await import('node:fs');
  const body = await openAsBlob(file);
  const headers = { 'x-api-key': key, 'if-none-match': '*', 'content-length': String(size) };
  const response = await fetch(`${address}/files/large.bin`, { method: 'PUT', body, headers });
  assert.equal(response.status, 201, await response.text());
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
