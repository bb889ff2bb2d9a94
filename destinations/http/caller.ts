/** How a platform's client calls its API. A caller is made once for each client, so nothing else needs the connection. */
import type { Outcome } from '../types.ts';
import type { Exchange, HttpAnswer } from './exchange.ts';
import { type Intent, interpretForeignResponse } from './failures.ts';
import { interpret, type PlatformAnswers } from './interpret.ts';

/** Reads a good answer; undefined where it is not what the platform documents. */
export type Read<T> = (answer: HttpAnswer) => T | undefined;

/** `R` is a request in the platform's own terms. */
export interface Caller<R> {
  /** One request. An answer that cannot be read is a foreign response. */
  call<T>(request: R, intent: Intent, read: Read<T>): Promise<Outcome<T>>;
}

/** With the two halves of `call`, for an ending that has to be looked at before it is interpreted. */
export interface OpenCaller<R> extends Caller<R> {
  send(request: R): Promise<Exchange>;
  interpret<T>(ended: Exchange, intent: Intent, read: Read<T>): Outcome<T>;
}

export function buildCaller<R>(platform: PlatformAnswers, send: (request: R) => Promise<Exchange>): OpenCaller<R> {
  const interpretAndRead = <T>(ended: Exchange, intent: Intent, read: Read<T>): Outcome<T> => {
    const outcome = interpret(ended, intent, platform);
    if (outcome.kind !== 'done') return outcome;
    const value = read(outcome.value);
    return value === undefined
      ? interpretForeignResponse(outcome.value, intent, platform.label)
      : { kind: 'done', value };
  };
  return {
    send,
    interpret: interpretAndRead,
    call: async (request, intent, read) => interpretAndRead(await send(request), intent, read),
  };
}

/** For calls after which nothing has to be read. */
export function readNothing(): null {
  return null;
}
