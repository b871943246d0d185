// An AsyncLocalStorage follows traced requests. Traces contain no names, paths or contents.
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { WorkspaceError } from '@stoa/core';
import { outcomeOf, type StoreOperation } from '../metrics/measure-stores.ts';
import { parseTraceParent, type TraceParent } from './trace-parent.ts';
import type { Traces } from './traces.ts';

/** Spans of one request. The longest requests make thousands of changes. */
export const spansMax = 256;

/** A traced request, and a position in its tree of spans. */
interface SpanParent {
  readonly request: { isOver: boolean; spans: number; dropped: number };
  readonly context: Context;
}

/**
 * Builds a tree of spans for each chosen request. Operations within the request find their parent automatically. Work
 * that continues after the request, such as queues and loops that it woke, is not part of it.
 */
export function followRequests(
  tracer: Tracer,
  isChosen: (parent: TraceParent | null) => boolean,
): Omit<Traces, 'stop'> {
  const current = new AsyncLocalStorage<SpanParent>();

  const begin = (name: string, attributes: Attributes, location = current.getStore()): Begun | null => {
    if (location === undefined || location.request.isOver) return null;
    const { request, context } = location;
    if (request.spans >= spansMax) {
      request.dropped += 1;
      return null;
    }
    request.spans += 1;
    const span = tracer.startSpan(name, { attributes }, context);
    return { span, parent: { request, context: trace.setSpan(context, span) } };
  };

  const during = async <Result>(
    name: string,
    attributes: Attributes,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const begun = begin(name, attributes);
    if (begun === null) return work();
    try {
      return await current.run(begun.parent, work);
    } catch (error) {
      recordError(begun.span, error);
      throw error;
    } finally {
      begun.span.end();
    }
  };

  return {
    requestBegan({ id, method, route, scheme, traceParent }) {
      const parent = parseTraceParent(traceParent);
      if (!isChosen(parent)) return null;
      const attributes = {
        'http.request.method': method,
        'url.scheme': scheme,
        'stoa.request.id': id,
        ...(route === null ? {} : { 'http.route': route }),
      };
      const from = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote(parent));
      const name = route === null ? method : `${method} ${route}`;
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, from);
      const request = { isOver: false, spans: 1, dropped: 0 };
      const location = { request, context: trace.setSpan(from, span) };
      return {
        traceId: span.spanContext().traceId,
        within: (work) => current.run(location, work),
        over({ status, errorCode: error, isFault, isAborted }) {
          request.isOver = true;
          span.setAttribute('http.response.status_code', status);
          if (error !== null) span.setAttribute('stoa.refusal', error);
          if (isAborted) span.setAttribute('stoa.aborted', true);
          if (request.dropped > 0) span.setAttribute('stoa.spans.left_out', request.dropped);
          if (isFault || (status >= 500 && status !== beyondPlan)) fail(span, error ?? String(status));
          span.end();
        },
      };
    },
    stores: {
      batch() {},
      began(what) {
        const begun = begin(nameOf(what), attributesOf(what));
        if (begun === null) return unobserved;
        const { span, parent: location } = begun;
        let step = what.operation === 'transact' ? begin('wait', {}, location) : null;
        return {
          sent(changes) {
            step?.span.end();
            step = begin('commit', { 'stoa.commit.changes': changes }, location);
          },
          over(outcome, error) {
            step?.span.end();
            if (outcome !== 'done') recordError(span, error);
            span.end();
          },
        };
      },
    },
    searches: { during: (step, work) => during(`search ${step}`, {}, work) },
    tool(name, work) {
      const attributes = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': name };
      return during(`mcp tool ${name}`, attributes, work);
    },
  };
}

interface Begun {
  readonly span: Span;
  /** The parent of operations that begin inside the span. */
  readonly parent: SpanParent;
}

function nameOf(what: StoreOperation): string {
  const name = `${what.store} ${what.operation}`;
  return what.operation === 'transact' ? `${name} ${what.script}` : name;
}

function attributesOf(what: StoreOperation): Attributes {
  return what.operation === 'open' || what.operation === 'finish' ? { 'stoa.bytes': what.bytes } : {};
}

/** The ordinary response if a plan's limit is reached. */
const beyondPlan = 507;

/** Records neither the text of an error nor its stack, because both may contain private names. */
function recordError(span: Span, error: unknown): void {
  const rejection = error instanceof WorkspaceError ? error.code : null;
  if (rejection !== null) span.setAttribute('stoa.refusal', rejection);
  if (outcomeOf(error) === 'failed') fail(span, rejection ?? '_OTHER');
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

const unobserved = { sent() {}, over() {} };

function remote({ traceId, spanId }: TraceParent) {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
}
