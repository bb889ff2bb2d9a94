/**
 * Sends OpenTelemetry traces by OTLP over HTTP. Loaded only if an endpoint is set. The versions
 * follow `@temporalio/interceptors-opentelemetry`, which propagates traces through Temporal.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { Resource } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { ClientInterceptors } from '@temporalio/client';
import {
  makeWorkflowExporter,
  OpenTelemetryActivityInboundInterceptor,
  OpenTelemetryActivityOutboundInterceptor,
  OpenTelemetryWorkflowClientInterceptor,
} from '@temporalio/interceptors-opentelemetry';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import type { Sinks } from '@temporalio/workflow';

export interface Tracing {
  /**
   * Interceptors of a Temporal client: workflows continue the trace of the caller that starts or
   * signals them.
   */
  clientInterceptors: ClientInterceptors;
  /** Interceptors of a worker. Its workflow bundle needs tracing as well. */
  worker: { activityInterceptors: ActivityInterceptorsFactory[]; sinks: InjectedSinks<Sinks> };
  /** Sends the remaining spans. */
  stop(): Promise<void>;
}

/** Also the limit after which spans are dropped if there is no collector. */
const SEND_TIMEOUT_MS = 5_000;

/**
 * `endpoint` is the address of the collector without the path of a signal. OpenTelemetry reads
 * headers and sampling from its own environment variables.
 */
export function startTracing(service: string, endpoint: string): Tracing {
  const resource = new Resource({ 'service.name': service });
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: SEND_TIMEOUT_MS });
  const processor = new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1_000 });
  const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
  provider.register({ contextManager: new AsyncLocalStorageContextManager().enable() });
  const stopHttp = traceHttpClients(trace.getTracer('courant.http'));
  return {
    clientInterceptors: { workflow: [new OpenTelemetryWorkflowClientInterceptor()] },
    worker: {
      activityInterceptors: [
        (activity) => ({
          inbound: new OpenTelemetryActivityInboundInterceptor(activity),
          outbound: new OpenTelemetryActivityOutboundInterceptor(activity),
        }),
      ],
      sinks: { exporter: makeWorkflowExporter(processor, resource) },
    },
    async stop() {
      stopHttp();
      await provider.shutdown().catch(() => undefined);
    },
  };
}

interface RequestMessage {
  request: { method: string; origin: string | URL };
}

/**
 * Adds a span for each undici request within a trace. Records host and outcome, but no path, query,
 * headers or body, which may contain secrets. Does not propagate the trace to other services.
 * Returns a function that stops it.
 */
function traceHttpClients(tracer: Tracer): () => void {
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
