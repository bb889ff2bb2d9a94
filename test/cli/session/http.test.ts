/** The HTTP client: time-outs and aborts. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { NetworkError, postJson } from '../../../cli/server/http.ts';
import { type PublishServer, silent, startPublishServer } from '../publish/publish-server.ts';

describe('a request to the server', () => {
  let server: PublishServer;
  // A request that was given up before it arrived does not take the response of the next test.
  beforeEach(async () => {
    server = await startPublishServer();
  });
  afterEach(() => server.close());

  const post = (signal: AbortSignal, timeoutMs = 150) =>
    postJson({ url: server.endpoint, headers: {}, body: {}, signal, timeoutMs });

  it('fails with a retriable error without a response in time', async () => {
    server.next(silent());
    await assert.rejects(post(new AbortController().signal), (error: unknown) => {
      assert.ok(error instanceof NetworkError);
      assert.match(error.message, /^No response from http:\/\/127\.0\.0\.1:\d+ within 0\.15 s\.$/);
      return error.retriable;
    });
  });

  it('has the same time limit for the body of the response', async () => {
    server.next((response) => void response.writeHead(200).write('{"success":'));
    await assert.rejects(post(new AbortController().signal), /^Failure: No response from .* within 0\.15 s\.$/);
  });

  it('fails with the reason of its abort', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    server.next(() => controller.abort(reason));
    // The request reaches the server long before this, on a busy machine too.
    const timeoutMs = 60_000;
    await assert.rejects(post(controller.signal, timeoutMs), reason);
    await assert.rejects(post(controller.signal, timeoutMs), reason);
  });
});
