import type { handleUnaryCall, Metadata } from '@grpc/grpc-js';
import { asFailure } from './grpc-failure.js';

/** A handler that answers once. Without an answer of its own it answers with a message that has nothing in it. */
export const unary =
  <Request>(
    handle: (request: Request, metadata: Metadata) => Buffer | void | Promise<void>,
  ): handleUnaryCall<Request, Buffer> =>
  async (call, answer) => {
    try {
      answer(null, (await handle(call.request, call.metadata)) ?? EMPTY);
    } catch (fault) {
      answer(asFailure(fault));
    }
  };

const EMPTY = Buffer.alloc(0);
