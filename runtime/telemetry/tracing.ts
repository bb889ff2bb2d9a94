/**
 * Sends OpenTelemetry traces by OTLP over HTTP. Loaded only if an endpoint is set. The versions
 * follow `@temporalio/interceptors-opentelemetry`, which propagates traces through Temporal.
 */
import { trace } from '@opentelemetry/api';
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
import { traceHttpClients } from './http-client-spans.ts';

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
export function startTracing({ service, endpoint }: { service: string; endpoint: string }): Tracing {
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
