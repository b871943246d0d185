export interface PackedCommand {
  readonly command: unknown;
  /** About as many bytes as it takes to hold. */
  readonly sizeBytes: number;
}

/** The cost of each value of a command beside its content. */
const valueBytes = 16;

/**
 * Makes a command, which is plain data, ready to cross to another thread. Bytes that are a window into a larger buffer
 * are copied out: the copy made in crossing is of the whole buffer.
 */
export function packCommand(command: unknown): PackedCommand {
  // Sending it would throw, and by then its neighbours are in the same message.
  if (typeof command === 'function' || typeof command === 'symbol') {
    throw new Error(`a command is plain data, not a ${typeof command}`);
  }
  if (typeof command === 'string') return { command, sizeBytes: valueBytes + command.length * 2 };
  if (typeof command !== 'object' || command === null) return { command, sizeBytes: valueBytes };
  if (command instanceof Uint8Array) {
    const owned = command.byteLength === command.buffer.byteLength ? command : Uint8Array.from(command);
    return { command: owned, sizeBytes: valueBytes + command.byteLength };
  }
  const prototype: unknown = Object.getPrototypeOf(command);
  if (!Array.isArray(command) && prototype !== Object.prototype && prototype !== null) {
    throw new Error(`a command is plain data, not ${command.constructor?.name}`);
  }
  let sizeBytes = valueBytes;
  let changed = false;
  const packed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(command)) {
    const part = packCommand(value);
    sizeBytes += part.sizeBytes;
    changed ||= part.command !== value;
    packed[name] = part.command;
  }
  if (!changed) return { command, sizeBytes };
  return { command: Array.isArray(command) ? Object.values(packed) : packed, sizeBytes };
}
