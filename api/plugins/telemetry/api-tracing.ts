/** The API's side of a trace: a span for each request, and what carries it through the outbox to the workflow. Loaded only where traces are sent. */
import { context, propagation, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface ApiTracing {
  /** To be called once, before the routes are registered. */
  observe(app: FastifyInstance): void;
  /** Of the span that is active, as W3C Trace Context writes it; null where none is. */
  writeTraceparent(): string | null;
  /** Runs `work` within that trace; in one of its own where that is null. */
  continueTrace<T>(traceparent: string | null, work: () => Promise<T>): Promise<T>;
}

/** An open stream would be a span of hours; probes come all the time and say nothing. */
const UNTRACED = new Set(['/notifications/stream', '/health/live', '/health/ready']);

/** `continues`: a request may be part of a trace that a proxy before this API has begun. Strangers do not choose the traces they are in. */
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
      // The reading of a body goes on from events of the socket, which know nothing of the request.
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
