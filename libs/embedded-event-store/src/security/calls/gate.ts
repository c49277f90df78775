import { ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js';
import { asFailure } from '../../wire/grpc-failure.js';
import type { Authenticator } from '../users/authenticator.js';
import type { GuardedAccess } from './access.js';
import { accessDenied, notAuthenticated } from './failures.js';
import { mayCall } from './policy.js';

/** Returns an interceptor that authenticates the caller, and rejects calls that their roles do not allow. */
export const gate =
  (authenticator: Authenticator, access: GuardedAccess): ServerInterceptor =>
  (method, call) => {
    const refuse = (fault: unknown): void => {
      const { code, details, metadata } = asFailure(fault);
      call.sendStatus({ code, details, metadata });
    };
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, proceed) => {
            const admit = (caller: Awaited<ReturnType<Authenticator['callerOf']>>): void => {
              if (!caller) refuse(notAuthenticated());
              else if (!mayCall(caller, method.path)) refuse(accessDenied());
              else {
                access.admit(metadata, caller);
                proceed(metadata);
              }
            };
            const caller = authenticator.callerOf(metadata.get('authorization')[0]?.toString());
            if (caller instanceof Promise) caller.then(admit).catch(refuse);
            else admit(caller);
          },
        }),
    });
  };
