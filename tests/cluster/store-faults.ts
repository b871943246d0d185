import type { Fault, FaultRule, StoreOperation } from '../support/object-store-faults.ts';

/** One try more than a node makes: a few requests fail for good, others get through at a later try. */
const times = 5;

const slowDown: Fault = { kind: 'refused', status: 503, code: 'SlowDown' };
const failedAfterSuccess: Fault = { kind: 'done_but_refused', status: 500, code: 'InternalError' };
const onEachWay: readonly (readonly [string, Fault])[] = [
  ['asks to slow down', slowDown],
  ['answers 500 although it did it', failedAfterSuccess],
  ['breaks connections before it hears of a request', { kind: 'reset_before' }],
  ['breaks connections once it did what was asked', { kind: 'reset_after' }],
];
const sending: readonly StoreOperation[] = ['put', 'begin', 'part', 'complete', 'copy', 'head'];

/** What an object store can do wrong, by what it does, each as the rules that make it so for a while. */
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
