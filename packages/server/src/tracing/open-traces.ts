import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { TracesConfig } from '../config/parse-config.ts';
import { createChooser } from './choose-requests.ts';
import { followRequests } from './follow-requests.ts';
import { reportFailures } from './report-failures.ts';
import type { Traces } from './traces.ts';

/** Limit of spans that wait to be sent. More are dropped. */
const waitingSpansMax = 2048;
const sendEveryMs = 2_000;
const sendTimeoutMs = 10_000;
/** Time limit for sending the remaining spans at a stop. */
const flushMsMax = 3_000;

/**
 * Loads the tracing libraries, which no other module does. They are not registered globally, because other libraries
 * would then add spans of their own, which may contain private names.
 */
export function openTraces(
  { url, ratio }: TracesConfig,
  reportProblem: (message: string, cause: unknown) => void,
): Traces {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: sendTimeoutMs });
  const provider = new TracerProvider({
    sampler: new AlwaysOnSampler(),
    resource: resourceFromAttributes({
      'service.name': 'stoa',
      'service.instance.id': randomUUID(),
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportFailures(exporter, (lost, cause) =>
          reportProblem(`${lost} spans could not be sent to the collector of traces`, cause),
        ),
        maxQueueSize: waitingSpansMax,
        scheduledDelayMillis: sendEveryMs,
        exportTimeoutMillis: sendTimeoutMs,
      }),
    ],
  });
  return {
    ...followRequests(provider.getTracer('stoa'), createChooser(ratio)),
    async stop() {
      const giveUp = new AbortController();
      // The exporter has reported its failures.
      const flushed = provider.shutdown().catch(() => undefined);
      const late = pause(flushMsMax, 'late', { signal: giveUp.signal }).catch(() => undefined);
      const end = await Promise.race([flushed, late]);
      giveUp.abort();
      if (end === 'late') reportProblem('the collector of traces did not take the last spans in time', null);
    },
  };
}
