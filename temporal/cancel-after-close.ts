/**
 * Cancels SDK retries after the connection was closed. The SDK retries from a timer, where gRPC's
 * error is uncaught and ends the process during its shutdown. The cancelled call rejects instead.
 */
import { InterceptingCall, type Interceptor, Metadata, status } from '@grpc/grpc-js';
import { defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';

const CLOSED = 'The connection to Temporal was closed while the call waited for a retry.';

const cancelAfterClose: Interceptor = (options, nextCall) => {
  try {
    return new InterceptingCall(nextCall(options));
  } catch {
    return new InterceptingCall(null as never, {
      // Calls no further interceptor, so nothing is sent.
      start: (_metadata, listener) =>
        listener.onReceiveStatus({ code: status.CANCELLED, details: CLOSED, metadata: new Metadata() }),
    });
  }
};

/** The SDK's default interceptors, followed by `cancelAfterClose`. */
export const CALL_INTERCEPTORS: Interceptor[] = [makeGrpcRetryInterceptor(defaultGrpcRetryOptions()), cancelAfterClose];
