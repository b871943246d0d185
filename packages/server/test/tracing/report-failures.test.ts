import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { reportFailures } from '../../src/tracing/report-failures.ts';

const span = {} as ReadableSpan;
const away = new Error('the collector is away');

test('failures are reported once a minute, with all spans that were lost since', () => {
  let now = 0;
  let error: Error | null = away;
  const reported: unknown[] = [];
  const inner: SpanExporter = {
    export: (_spans, done) => done(error === null ? { code: 0 } : { code: 1, error }),
    shutdown: async () => {},
  };
  const exporter = reportFailures(
    inner,
    (lost, cause) => reported.push([lost, cause]),
    () => now,
  );
  const done: unknown[] = [];
  const send = (spans: number) => exporter.export(Array(spans).fill(span), (result) => done.push(result));
  send(3);
  assert.deepEqual(reported, [[3, away]]);
  now += 59_999;
  send(4);
  error = null;
  send(100);
  assert.equal(reported.length, 1);
  now += 1;
  error = away;
  send(5);
  assert.deepEqual(reported[1], [9, away]);
  assert.equal(done.length, 4);
});
