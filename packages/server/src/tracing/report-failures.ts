import type { SpanExporter } from '@opentelemetry/sdk-trace';

const reportEveryMs = 60_000;

/**
 * Reports the failures of an exporter, at most once a minute.
 * @param tell gets the number of spans lost since the last report
 */
export function reportFailures(
  exporter: SpanExporter,
  report: (lostSpans: number, cause: unknown) => void,
  now: () => number = () => performance.now(),
): SpanExporter {
  let lost = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.code !== sent) {
          lost += spans.length;
          if (now() - reportedAt >= reportEveryMs) {
            reportedAt = now();
            report(lost, result.error);
            lost = 0;
          }
        }
        done(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}
/** `ExportResultCode.SUCCESS`. */
const sent = 0;
