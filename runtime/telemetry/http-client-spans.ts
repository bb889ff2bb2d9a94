/**
 * Adds a span for each undici request within a trace. Records host and outcome, but no path, query,
 * headers or body, which may contain secrets. Does not propagate the trace to other services.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';

interface RequestMessage {
  request: { method: string; origin: string | URL };
}

/** Returns a function that stops the tracing. */
export function traceHttpClients(tracer: Tracer): () => void {
  const spans = new WeakMap<object, Span>();
  const listeners = {
    'undici:request:create': ({ request }: RequestMessage) => {
      if (!trace.getActiveSpan()) return;
      const { hostname, port, protocol } = new URL(request.origin);
      const attributes = {
        'http.request.method': request.method,
        'server.address': hostname,
        'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
      };
      spans.set(request, tracer.startSpan(request.method, { kind: SpanKind.CLIENT, attributes }));
    },
    'undici:request:headers': ({ request, response }: RequestMessage & { response: { statusCode: number } }) => {
      const span = spans.get(request)?.setAttribute('http.response.status_code', response.statusCode);
      if (response.statusCode >= 400) span?.setStatus({ code: SpanStatusCode.ERROR });
    },
    'undici:request:trailers': ({ request }: RequestMessage) => {
      spans.get(request)?.end();
    },
    'undici:request:error': ({ request, error }: RequestMessage & { error: NodeJS.ErrnoException }) => {
      const span = spans.get(request);
      // Records no message, which may quote an address.
      span
        ?.setAttribute('error.type', error.code ?? error.name)
        .setStatus({ code: SpanStatusCode.ERROR })
        .end();
    },
  };
  const entries = Object.entries(listeners) as [string, (message: unknown) => void][];
  for (const [channel, listener] of entries) subscribe(channel, listener);
  return () => {
    for (const [channel, listener] of entries) unsubscribe(channel, listener);
  };
}
