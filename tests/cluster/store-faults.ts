import type { Fault, FaultRule, StoreOperation } from '../support/object-store-faults.ts';

/** One more than the tries of a node: a few requests fail for good, others succeed at a later try. */
const times = 5;

const slowDown: Fault = { kind: 'refused', status: 503, code: 'SlowDown' };
const failedAfterSuccess: Fault = { kind: 'done_but_refused', status: 500, code: 'InternalError' };
const onEachWay: readonly (readonly [string, Fault])[] = [
  ['asks to slow down', slowDown],
  ['returns 500 after success', failedAfterSuccess],
  ['breaks connections before it receives a request', { kind: 'reset_before' }],
  ['breaks connections after it carried out a request', { kind: 'reset_after' }],
];
const sending: readonly StoreOperation[] = ['put', 'begin', 'part', 'complete', 'copy', 'head'];

/** The faults of an object store, each with the rules that cause it for a while. */
export const storeFaults: readonly { readonly what: string; readonly rules: readonly FaultRule[] }[] = [
  ...onEachWay.map(([what, fault]) => ({
    what,
    rules: [...sending, 'get' as const].map((on) => ({ on, times, fault })),
  })),
  {
    what: 'completes and copies uploads with an error in a success',
    rules: (['complete', 'copy'] as const).map((on) => ({
      on,
      times,
      fault: { kind: 'error_in_success', code: 'InternalError' },
    })),
  },
  {
    what: 'is sent other bytes than were given',
    rules: [
      { on: 'put', times, fault: { kind: 'sent_flipped' } },
      { on: 'part', times, fault: { kind: 'sent_flipped' } },
    ],
  },
  ...[0, 40_000, 69_998].map((atByte) => ({
    what: `breaks downloads off after ${atByte} bytes`,
    rules: [{ on: 'get' as const, times: times * 4, fault: { kind: 'cut' as const, atByte } }],
  })),
  { what: 'sends too little', rules: [{ on: 'get', times, fault: { kind: 'shortened', toBytes: 50_000 } }] },
  ...[0, 50_000, 69_999].map((atByte) => ({
    what: `changes byte ${atByte} of downloads`,
    rules: [{ on: 'get' as const, times: times * 2, fault: { kind: 'flipped' as const, atByte } }],
  })),
];
