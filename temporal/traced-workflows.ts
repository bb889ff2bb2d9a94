/**
 * The interceptors that trace workflows, for the bundle of a worker that traces. They draw the ids of spans from a stream of random numbers of
 * their own: what a workflow draws (`workflows/outcome-key`) is the same with and without traces, so that they can be switched on and off
 * while workflows run.
 */
import { interceptors as createTracing } from '@temporalio/interceptors-opentelemetry/lib/workflow-interceptors.js';
import { getRandomStream, type WorkflowInterceptors } from '@temporalio/workflow';

const STREAM = 'traces';

export function interceptors(): WorkflowInterceptors {
  const { inbound = [], outbound = [], internals = [] } = createTracing();
  return { inbound: inbound.map(drawApart), outbound: outbound.map(drawApart), internals };
}

function drawApart<T extends object>(interceptor: T): T {
  return new Proxy(interceptor, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...input: unknown[]) => getRandomStream(STREAM).with(() => Reflect.apply(method, target, input));
    },
  });
}
