/**
 * Traces by OpenTelemetry, sent by OTLP over HTTP. Loaded only where an endpoint is set. The versions follow `@temporalio/interceptors-opentelemetry`,
 * which carries a trace through Temporal.
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
  /** Of a Temporal client: workflows continue the trace of whoever starts or signals them. */
  clientInterceptors: ClientInterceptors;
  /** Of a worker, whose bundle must trace too. */
  worker: { activityInterceptors: ActivityInterceptorsFactory[]; sinks: InjectedSinks<Sinks> };
  /** Sends what is left. */
  stop(): Promise<void>;
}

/** Also of what is not sent for want of a collector: it is dropped, and nobody waits for it. */
const SEND_WITHIN_MS = 5_000;

/** `endpoint`: of the collector, without the path of a signal. Headers and sampling are read from the environment, as OpenTelemetry names them. */
export function startTracing({ service, endpoint }: { service: string; endpoint: string }): Tracing {
  const resource = new Resource({ 'service.name': service });
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: SEND_WITHIN_MS });
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
