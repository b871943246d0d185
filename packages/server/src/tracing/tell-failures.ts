import type { SpanExporter } from '@opentelemetry/sdk-trace';

const tellEveryMs = 60_000;

/**
 * An exporter whose failures are told, at most once a minute.
 * @param tell is given how many spans were lost since it was told last.
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
