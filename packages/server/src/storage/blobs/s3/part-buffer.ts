import { createHash } from 'node:crypto';

/** At least 5 MiB, as stores ask for; 1000 parts, which some have as their limit, are 8 GiB. */
export const partBytes = 8 * 1024 * 1024;
const firstBytes = 256 * 1024;

/** Gathers small pieces into one part in memory of its own, which grows as far as it is needed. */
export interface PartBuffer {
  isFull(): boolean;
  /** Copies as much as there is room for. @returns what is left over. */
  add(bytes: Uint8Array): Uint8Array;
  /** What was gathered, and its hash as `Content-MD5`. It stays so until `clear`, and nothing is added before. */
  seal(): Part;
  clear(): void;
}

export interface Part {
  readonly bytes: Uint8Array;
  readonly md5: string;
}

export function createPartBuffer(): PartBuffer {
  let memory = new Uint8Array(firstBytes);
  let size = 0;
  // Hashed piece by piece: a whole part at once would hold everything else up.
  let hash = createHash('md5');
  const makeRoomFor = (neededBytes: number) => {
    if (neededBytes <= memory.byteLength) return;
    const larger = new Uint8Array(Math.min(partBytes, Math.max(neededBytes, memory.byteLength * 2)));
    larger.set(memory.subarray(0, size));
    memory = larger;
  };
  return {
    isFull: () => size === partBytes,
    add(bytes) {
      const taken = bytes.subarray(0, partBytes - size);
      makeRoomFor(size + taken.byteLength);
      memory.set(taken, size);
      hash.update(taken);
      size += taken.byteLength;
      return bytes.subarray(taken.byteLength);
    },
    seal: () => ({ bytes: memory.subarray(0, size), md5: hash.digest('base64') }),
    clear() {
      size = 0;
      hash = createHash('md5');
    },
  };
}
