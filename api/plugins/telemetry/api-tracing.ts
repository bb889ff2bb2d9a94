/**
 * The API's part of a trace: a span per request, and the context that the outbox passes to the
 * workflow. Loaded only if traces are exported.
 */
import { context, propagation, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface ApiTracing {
  /** Call once, before the routes are registered. */
  observe(app: FastifyInstance): void;
  /** The active span as W3C Trace Context; null without one. */
  writeTraceparent(): string | null;
  /** Runs `work` in that trace, or in a new one if `traceparent` is null. */
  continueTrace<T>(traceparent: string | null, work: () => Promise<T>): Promise<T>;
}

/** A stream would be a span of hours; health checks are frequent and carry no information. */
const UNTRACED = new Set(['/notifications/stream', '/health/live', '/health/ready']);

/** `continues`: requests may join a trace that a trusted proxy started. Clients must not. */
export function createApiTracing({ continues }: { continues: boolean }): ApiTracing {
  const tracer = trace.getTracer('courant.api');
  const spans = new WeakMap<FastifyRequest, Span>();
  const enter = (request: FastifyRequest, done: () => void) => {
    const span = spans.get(request);
    if (span) context.with(trace.setSpan(context.active(), span), done);
    else done();
  };
  return {
    observe(app) {
      app.addHook('onRequest', (request, _reply, done) => {
        const { url } = request.routeOptions;
        if (url === undefined || UNTRACED.has(url)) return done();
        const parent = continues ? propagation.extract(ROOT_CONTEXT, request.headers) : ROOT_CONTEXT;
        const attributes = { 'http.request.method': request.method, 'http.route': url, 'request.id': request.id };
        spans.set(request, tracer.startSpan(`${request.method} ${url}`, { kind: SpanKind.SERVER, attributes }, parent));
        enter(request, done);
      });
      // Socket events read the body, outside the context of the request.
      app.addHook('preHandler', (request, _reply, done) => enter(request, done));
      app.addHook('onResponse', (request, reply, done) => {
        const span = spans.get(request)?.setAttribute('http.response.status_code', reply.statusCode);
        if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
        span?.end();
        done();
      });
    },
    writeTraceparent() {
      const carrier: { traceparent?: string } = {};
      propagation.inject(context.active(), carrier);
      return carrier.traceparent ?? null;
    },
    continueTrace(traceparent, work) {
      const parent = traceparent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent });
      return context.with(parent, work);
    },
  };
}
