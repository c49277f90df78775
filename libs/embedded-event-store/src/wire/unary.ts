import type { handleUnaryCall, Metadata } from '@grpc/grpc-js';
import { asFailure } from './grpc-failure.js';

/** Returns a handler of a unary call. Without a result it responds with an empty message. */
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
