import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { principalOf } from '../access.guard.js';
import { endpointOf, isSessionWrite } from '../endpoint.js';
import { etagOf, scopeOf, sessionStreamOf } from './scopes.js';

/** Sets the revision of the session as `ETag`, and answers 304 if `If-None-Match` names it. */
@Injectable()
export class RevisionInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const endpoint = endpointOf(context.getHandler());
    const http = context.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    if (endpoint?.isRevisioned)
      return next.handle().pipe(map((answer) => notModifiedOr(answer, request, reply)));
    if (!endpoint || !isSessionWrite(endpoint)) return next.handle();
    return next.handle().pipe(
      map((answer: unknown) => {
        sendRevision(request, reply);
        return answer;
      }),
    );
  }
}

/** Sets the revision that a write has left as `ETag`. */
export const sendRevision = (request: FastifyRequest, reply: FastifyReply): void => {
  const stream = sessionStreamOf(request, principalOf(request).tenant);
  const revision = stream && scopeOf(request).revisionOf(stream);
  if (revision !== undefined) void reply.header('etag', etagOf(revision));
};

const notModifiedOr = (answer: unknown, { headers }: FastifyRequest, reply: FastifyReply): unknown => {
  const revision: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'revision') : 0;
  if (typeof revision !== 'number') return answer;
  const etag = etagOf(revision);
  void reply.header('etag', etag).header('cache-control', 'private, no-cache');
  if (!includesEtag(etag, headers['if-none-match'])) return answer;
  void reply.status(304);
  return undefined;
};

/** Weak comparison, as RFC 9110 requires for `If-None-Match`. */
const includesEtag = (etag: string, header: string | undefined): boolean =>
  (header ?? '').split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
