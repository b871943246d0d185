import type { SpanExporter } from '@opentelemetry/sdk-trace';

const tellEveryMs = 60_000;

/**
 * Reports the failures of an exporter, at most once a minute.
 * @param tell gets the number of spans lost since the last report
 */
export function tellFailures(
  exporter: SpanExporter,
  tell: (lostSpans: number, cause: unknown) => void,
  now: () => number = () => performance.now(),
): SpanExporter {
  let lost = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.code !== sent) {
          lost += spans.length;
          if (now() - toldAt >= tellEveryMs) {
            toldAt = now();
            tell(lost, result.error);
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
