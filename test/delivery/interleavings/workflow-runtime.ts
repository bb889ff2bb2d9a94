/**
 * Replaces `@temporalio/workflow` for a workflow in this process: calls activities directly and
 * skips waits. The workflow code itself is real.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

export * from '@temporalio/common';

/** The runtime of one workflow run. */
export interface Runtime {
  handlers: Map<string, () => unknown>;
  callActivity(name: string, args: unknown[]): Promise<unknown>;
  /** Simulates that this much time has passed. */
  pass(ms: number): Promise<void>;
}

export const runtimes = new AsyncLocalStorage<Runtime>();

function current(): Runtime {
  const runtime = runtimes.getStore();
  if (!runtime) throw new Error('no workflow runs here');
  return runtime;
}

export const defineSignal = (name: string) => ({ type: 'signal', name });
export const defineQuery = (name: string) => ({ type: 'query', name });

export function setHandler({ name }: { name: string }, handler: () => unknown): void {
  current().handlers.set(name, handler);
}

/** Signals arrive only during activities, so a condition that is false at the start times out. */
export async function condition(isTrue: () => boolean, ms = 0): Promise<boolean> {
  if (isTrue()) return true;
  await current().pass(ms);
  return isTrue();
}

export const sleep = (ms: number): Promise<void> => current().pass(ms);

/** Without retries: activities that may be retried do not fail here. */
export function proxyActivities(): Record<string, (...args: unknown[]) => Promise<unknown>> {
  return new Proxy(
    {},
    {
      get:
        (_, name: string) =>
        (...args: unknown[]) =>
          current().callActivity(name, args),
    },
  );
}
export { proxyActivities as proxyLocalActivities };

const typedSearchAttributes = { get: () => undefined };
export const workflowInfo = () => ({ taskQueue: 'none', continueAsNewSuggested: false, typedSearchAttributes });
export const uuid4 = randomUUID;
export const allHandlersFinished = () => true;
export const isCancellation = () => false;
export const patched = () => true;
export function continueAsNew(): never {
  throw new Error('nothing is that long here');
}
const ignore = () => undefined;

export { ignore as setCurrentDetails, ignore as upsertMemo, ignore as upsertSearchAttributes };
