/**
 * Workflow interceptors for tracing. Span ids use a separate random stream, so that a workflow's
 * own random values (`uuid4`) are the same with and without tracing, and replays remain valid.
 */
import { interceptors as createTracing } from '@temporalio/interceptors-opentelemetry/lib/workflow-interceptors.js';
import { getRandomStream, type WorkflowInterceptors } from '@temporalio/workflow';

const STREAM = 'traces';

export function interceptors(): WorkflowInterceptors {
  const { inbound = [], outbound = [], internals = [] } = createTracing();
  return { inbound: inbound.map(useSeparateStream), outbound: outbound.map(useSeparateStream), internals };
}

function useSeparateStream<T extends object>(interceptor: T): T {
  return new Proxy(interceptor, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...input: unknown[]) => getRandomStream(STREAM).with(() => Reflect.apply(method, target, input));
    },
  });
}
