/**
 * The SDK repeats a failed call after a pause, by a timer. If the connection has been closed by then, gRPC throws, into nobody's hands: the process
 * would end of it in the middle of its own orderly end. Such a call is cancelled instead, and whoever waits for it is told.
 */
import { InterceptingCall, type Interceptor, Metadata, status } from '@grpc/grpc-js';
import { defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';

const CLOSED = 'The connection to Temporal was closed while the call waited to be repeated.';

const cancelAfterClose: Interceptor = (options, nextCall) => {
  try {
    return new InterceptingCall(nextCall(options));
  } catch {
    return new InterceptingCall(null as never, {
      // Nothing is called further on, so nothing is ever sent.
      start: (_metadata, listener) =>
        listener.onReceiveStatus({ code: status.CANCELLED, details: CLOSED, metadata: new Metadata() }),
    });
  }
};

/** What the SDK uses where none are given, with a bottom to it. */
export const CALL_INTERCEPTORS: Interceptor[] = [makeGrpcRetryInterceptor(defaultGrpcRetryOptions()), cancelAfterClose];
