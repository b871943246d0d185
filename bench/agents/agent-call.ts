import assert from 'node:assert/strict';
import type { JsonRecord } from '../../tests/support/response.ts';

/** The calls and bytes that a model would write and read for one task. No model takes part. */
export interface Effort {
  calls: number;
  /** Names and arguments of tools, as JSON. */
  bytesOut: number;
  /** Results, as the model sees them. */
  bytesIn: number;
}

export interface SeenResult {
  /** The structured data if there is any, because clients show their model only that. Otherwise the text. */
  readonly seen: string;
  readonly data: JsonRecord;
  readonly isError: boolean;
}

/** Sends one call to a server over any transport. */
export type CallTool = (name: string, given: JsonRecord) => Promise<SeenResult>;

/** An agent that counts its calls. Each call must succeed. */
export interface Agent {
  readonly call: CallTool;
  readonly effort: Effort;
}

export function countedAgent(callTool: CallTool): Agent {
  const effort: Effort = { calls: 0, bytesOut: 0, bytesIn: 0 };
  return {
    effort,
    async call(name, given) {
      const result = await callTool(name, given);
      assert.equal(result.isError, false, `${name}: ${result.seen.slice(0, 1000)}`);
      effort.calls += 1;
      effort.bytesOut += Buffer.byteLength(name) + Buffer.byteLength(JSON.stringify(given));
      effort.bytesIn += Buffer.byteLength(result.seen);
      return result;
    },
  };
}
