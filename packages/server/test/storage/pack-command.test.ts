import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { packCommand } from '../../src/storage/batches.ts';

describe('a command on its way to the writer', () => {
  it('transfers only its own bytes, however deep they are', () => {
    const slab = new Uint8Array(65_536).fill(7);
    const command = { path: 'a', content: { parts: [slab.subarray(10, 14)], size: 4 } };
    const packed = packCommand(command);
    assert.deepEqual(packed.command, {
      path: 'a',
      content: { parts: [Uint8Array.of(7, 7, 7, 7)], size: 4 },
    });
    const { parts } = (packed.command as typeof command).content;
    assert.equal(parts[0]?.buffer.byteLength, 4);
    assert.ok(packed.sizeBytes < 1000);
  });

  it('is the same value when there is nothing to cut', () => {
    const command = { bytes: new Uint8Array(5000), nothing: null, list: [1, 'two', true] };
    const packed = packCommand(command);
    assert.equal(packed.command, command);
    assert.ok(packed.sizeBytes >= 5000);
  });

  it('must be plain data', () => {
    assert.throws(() => packCommand({ when: new Date(0) }), /plain data, not Date/);
    assert.throws(() => packCommand(new Map()), /plain data, not Map/);
    assert.throws(() => packCommand({ call: () => {} }), /plain data, not a function/);
  });
});
