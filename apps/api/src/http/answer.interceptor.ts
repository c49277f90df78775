import { invariant } from '@app/kernel';
import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { IdempotencyInterceptor } from './conditions/idempotency.interceptor.js';
import { RevisionInterceptor, sendRevision } from './conditions/revision.interceptor.js';
import { ContentInterceptor } from './content/content.interceptor.js';

/**
 * Runs the interceptors of endpoints as one: Nest makes observables and promises for each that is registered, also where it does
 * nothing.
 */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  constructor(
    @Inject(ContentInterceptor) private readonly content: ContentInterceptor,
    @Inject(IdempotencyInterceptor) private readonly idempotency: IdempotencyInterceptor,
    @Inject(RevisionInterceptor) private readonly revision: RevisionInterceptor,
  ) {}

  // The content is the outermost: a stored answer includes its revision, and text that a key may not be allowed to read.
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const withRevision = { handle: () => this.revision.intercept(context, next) };
    const once = { handle: () => this.idempotency.intercept(context, withRevision) };
    return this.content.intercept(context, once);
  }

  /**
   * Carries out a write to a session whose answer is no recorded read of content, with the same effect and without
   * observables. For handlers that declare `answersItself`: they do everything that may fail in `work`, as requests are
   * validated after their key is known.
   */
  answer<Answer>(
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<Answer>,
  ): Promise<Answer | Buffer> {
    const { endpoint } = request.routeOptions.config;
    invariant(endpoint, 'the route of a handler has an endpoint');
    return this.idempotency.once(endpoint, request, reply, async () => {
      const answer = await work();
      sendRevision(request, reply);
      return answer;
    });
  }
}
