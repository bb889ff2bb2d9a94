/** What we use of `sse-channel`, which ships no types. */
declare module 'sse-channel' {
  import type { EventEmitter } from 'node:events';
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Options {
    /** At least 1: 0 means the default of 500. */
    historySize?: number;
    /** Milliseconds. */
    pingInterval?: number;
    jsonEncode?: boolean;
  }

  export default class SseChannel extends EventEmitter {
    constructor(options?: Options);
    removeClient(response: ServerResponse): void;
    addClient(request: IncomingMessage, response: ServerResponse): void;
    /** With `clients` the message stays out of the channel's history. */
    send(message: { id: number; event: string; data: unknown }, clients: ServerResponse[]): void;
    close(): void;
  }
}
