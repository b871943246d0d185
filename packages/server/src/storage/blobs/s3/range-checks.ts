// docs/decisions/0016-object-store.md
import { crc32 } from 'node:zlib';
import { WorkspaceError } from '@stoa/core';

const chunkBytes = 1024 * 1024;
/** At four bytes each they are 1600 characters, of the 2048 that a store keeps as metadata of an object. */
const checksMax = 300;
const checkBytes = 4;

/** Bytes from `start` up to and without `end` of an object that must have `sizeBytes`. */
export interface ObjectRange {
  readonly start: number;
  readonly end: number;
  readonly sizeBytes: number;
}

/** Computes the checksums of an object while it is sent. */
export interface RangeSums {
  update(bytes: Uint8Array): void;
  /** The checksums of the bytes so far, as text for the object's metadata. */
  checks(): string;
}

/**
 * Checksums that verify a part of an object without reading all of it: a CRC-32 of each mebibyte, or of several in a
 * large object. The number of mebibytes per checksum follows from the size alone.
 */
export function createRangeSums(): RangeSums {
  const sums: number[] = [];
  let sum = 0;
  let sizeBytes = 0;
  return {
    update(bytes) {
      for (let rest = bytes; rest.byteLength > 0; ) {
        const taken = rest.subarray(0, chunkBytes - (sizeBytes % chunkBytes));
        sum = crc32(taken, sum);
        sizeBytes += taken.byteLength;
        rest = rest.subarray(taken.byteLength);
        if (sizeBytes % chunkBytes > 0) continue;
        sums.push(sum);
        sum = 0;
      }
    },
    checks() {
      const all = sizeBytes % chunkBytes === 0 ? sums : [...sums, sum];
      const perCheck = bytesPerCheck(sizeBytes) / chunkBytes;
      const text = Buffer.alloc(Math.ceil(all.length / perCheck) * checkBytes);
      for (let at = 0; at * checkBytes < text.byteLength; at += 1) {
        text.writeUInt32BE(checkOf(all.slice(at * perCheck, (at + 1) * perCheck)), at * checkBytes);
      }
      return text.toString('base64');
    },
  };
}

/** The smallest range around `range` that is aligned to checksums. */
export function checkedRange({ start, end, sizeBytes }: ObjectRange): ObjectRange {
  const step = bytesPerCheck(sizeBytes);
  return {
    start: Math.floor(start / step) * step,
    end: Math.min(sizeBytes, Math.ceil(end / step) * step),
    sizeBytes,
  };
}

/**
 * Yields the bytes of `range` out of those of `checkedRange(range)`. The last chunk comes only when all checksums
 * match: a receiver gets all announced bytes only if they are correct.
 * @param checks from the object's metadata; undefined when it has none: then the bytes are not verified.
 * @throws WorkspaceError `stored_bytes_missing` in place of the last chunk.
 */
export async function* checkedBytes(
  bytes: AsyncIterable<Uint8Array>,
  range: ObjectRange,
  checks: string | undefined,
): AsyncGenerator<Uint8Array, void, void> {
  const step = bytesPerCheck(range.sizeBytes);
  const known = checks === undefined ? null : Buffer.from(checks, 'base64');
  let at = checkedRange(range).start;
  let sums: number[] = [];
  let sum = 0;
  let held: Uint8Array | null = null;
  const sumUp = (chunk: Uint8Array) => {
    sum = crc32(chunk, sum);
    at += chunk.byteLength;
    if (at % chunkBytes > 0 && at < range.sizeBytes) return;
    sums.push(sum);
    sum = 0;
    if (at % step > 0 && at < range.sizeBytes) return;
    const location = (Math.ceil(at / step) - 1) * checkBytes;
    const isRight =
      known === null ||
      (location + checkBytes <= known.byteLength && known.readUInt32BE(location) === checkOf(sums));
    if (!isRight) throw new WorkspaceError('stored_bytes_missing');
    sums = [];
  };
  for await (const chunk of bytes) {
    const before = at;
    for (let rest = chunk; rest.byteLength > 0; ) {
      const chunk = rest.subarray(0, chunkBytes - (at % chunkBytes));
      rest = rest.subarray(chunk.byteLength);
      sumUp(chunk);
    }
    const wanted = chunk.subarray(Math.max(0, range.start - before), Math.max(0, range.end - before));
    if (wanted.byteLength === 0) continue;
    if (held !== null) yield held;
    held = wanted;
  }
  if (held !== null) yield held;
}

function bytesPerCheck(sizeBytes: number): number {
  let step = chunkBytes;
  while (sizeBytes > step * checksMax) step *= 2;
  return step;
}

function checkOf(sums: readonly number[]): number {
  const bytes = Buffer.alloc(sums.length * checkBytes);
  for (const [i, sum] of sums.entries()) bytes.writeUInt32BE(sum, i * checkBytes);
  return crc32(bytes);
}

/** Stores differ in the maximum length of a value: Swift's is 256 characters. */
const valueCharacters = 240;
/** Far more than needed: Amazon's limit is 2048 characters in all. */
const valuesMax = 20;
const nameOf = (number: number) => `stoa-checks-${number}`;

/** Metadata of an object, which the store returns with each part of it: the object's checksums. */
export function objectMetadata(checks: string): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (let number = 0; number * valueCharacters < checks.length; number += 1) {
    const start = number * valueCharacters;
    metadata[nameOf(number)] = checks.slice(start, start + valueCharacters);
  }
  return metadata;
}

/** @returns undefined for an object without checksums. */
export function checksIn(metadata: Readonly<Record<string, string>> | undefined): string | undefined {
  const values: string[] = [];
  for (let number = 0; number < valuesMax; number += 1) {
    const value = metadata?.[nameOf(number)];
    if (value === undefined) break;
    values.push(value);
  }
  return values.length === 0 ? undefined : values.join('');
}
