import type { Intern } from '../text/tokens.ts';

/** After this many probes a string gets a number of its own: keys chosen to collide cost precision, never time. */
const probesMax = 32;

/** Numbers byte strings from 0. Equal strings get the same number, except after `probesMax` collisions. */
export class InternTable {
  #slots = new Int32Array(1024).fill(-1);
  readonly #hashes: number[] = [];
  readonly #sources: Uint8Array[] = [];
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];

  get size(): number {
    return this.#hashes.length;
  }

  readonly intern: Intern = (bytes, start, end) => {
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
    hash ^= hash >>> 15;
    const mask = this.#slots.length - 1;
    for (let probe = 0; probe < probesMax; probe += 1) {
      const slot = (hash + probe) & mask;
      const id = this.#slots[slot] ?? -1;
      if (id === -1) return this.#add(slot, hash, bytes, start, end);
      if (this.#hashes[id] === hash && this.#holds(id, bytes, start, end)) return id;
    }
    return this.#add(null, hash, bytes, start, end);
  };

  #holds(id: number, bytes: Uint8Array, start: number, end: number): boolean {
    const source = this.#sources[id];
    const offset = (this.#starts[id] ?? 0) - start;
    if (source === undefined || this.#lengths[id] !== end - start) return false;
    for (let at = start; at < end; at += 1) if (source[at + offset] !== bytes[at]) return false;
    return true;
  }

  #add(slot: number | null, hash: number, bytes: Uint8Array, start: number, end: number): number {
    const id = this.#hashes.length;
    this.#hashes.push(hash);
    this.#sources.push(bytes);
    this.#starts.push(start);
    this.#lengths.push(end - start);
    if (slot !== null) this.#slots[slot] = id;
    if (this.#hashes.length * 2 > this.#slots.length) this.#grow();
    return id;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (let id = 0; id < this.#hashes.length; id += 1) {
      for (let probe = 0; probe < probesMax; probe += 1) {
        const slot = ((this.#hashes[id] ?? 0) + probe) & mask;
        if (slots[slot] !== -1) continue;
        slots[slot] = id;
        break;
      }
    }
    this.#slots = slots;
  }
}
