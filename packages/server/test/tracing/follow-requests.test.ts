import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AlwaysOnSampler,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { WorkspaceError } from '@stoa/core';
import { followRequests, spansMax } from '../../src/tracing/follow-requests.ts';

const change = { store: 'database', operation: 'transact', script: 'files.write' } as const;
const ended = { status: 200, errorCode: null, isFault: false, isAborted: false };

function followed() {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new SimpleSpanProcessor({ exporter })];
  const provider = new TracerProvider({ sampler: new AlwaysOnSampler(), spanProcessors });
  const traces = followRequests(provider.getTracer('test'), () => true);
  const request = traces.requestBegan({
    id: 'r',
    method: 'GET',
    route: '/',
    scheme: 'http',
    traceParent: null,
  });
  assert.ok(request !== null);
  const names = () => exporter.getFinishedSpans().map(({ name }) => name);
  return { ...traces, request, exporter, names };
}

test('work that begins outside of a request is not traced', () => {
  const { stores, names } = followed();
  stores.began(change).over('done');
  assert.deepEqual(names(), []);
});

test('work that continues after the end of a request is not part of it', async () => {
  const { stores, searches, tool, request, names } = followed();
  const goOn = await request.within(async () => {
    stores.began(change).over('done');
    return () => request.within(() => stores.began(change).over('done'));
  });
  request.over(ended);
  goOn();
  await request.within(() => searches.during('paths', () => tool('read_file', async () => {})));
  assert.deepEqual(names(), ['wait', 'database transact files.write', 'GET /']);
});

test('a change that is tried again waits once, and is sent twice', () => {
  const { stores, request, exporter } = followed();
  request.within(() => {
    const begun = stores.began(change);
    begun.sent(3);
    begun.sent(1);
    begun.over('refused', new WorkspaceError('file_not_found'));
  });
  const reported = exporter.getFinishedSpans().map(({ name, attributes }) => [name, attributes]);
  assert.deepEqual(reported, [
    ['wait', {}],
    ['commit', { 'stoa.commit.changes': 3 }],
    ['commit', { 'stoa.commit.changes': 1 }],
    ['database transact files.write', { 'stoa.refusal': 'file_not_found' }],
  ]);
});

test('a failure is an error without its message', () => {
  const { stores, request, exporter } = followed();
  request.within(() =>
    stores.began({ store: 'contents', operation: 'remove' }).over('failed', new Error('CANARY')),
  );
  const [span] = exporter.getFinishedSpans();
  assert.equal(span?.status.message, undefined);
  assert.deepEqual(span?.attributes, { 'error.type': '_OTHER' });
  assert.deepEqual(span?.events, []);
});

test('a request has a bounded number of spans, and says how many were dropped', () => {
  const { stores, request, exporter, names } = followed();
  request.within(() => {
    for (let i = 0; i < spansMax; i += 1)
      stores.began({ store: 'database', operation: 'snapshot' }).over('done');
  });
  request.over(ended);
  assert.equal(names().length, spansMax);
  assert.equal(exporter.getFinishedSpans().at(-1)?.attributes['stoa.spans.left_out'], 1);
});
