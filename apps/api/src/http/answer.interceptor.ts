import { invariant } from '@app/kernel';
import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { Idempotency } from './conditions/idempotency.js';
import { withRevision } from './conditions/revision.js';
import { ContentReads } from './content/content-reads.js';
import type { EndpointFacts } from './endpoint.js';

/** Answers requests under their conditions: reads of text, `Idempotency-Key`, and the revision of the session. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  constructor(
    @Inject(ContentReads) private readonly reads: ContentReads,
    @Inject(Idempotency) private readonly idempotency: Idempotency,
  ) {}

  // The content is the outermost: a stored answer includes its revision, and text that a key may not be allowed to read.
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    const work = (): Promise<unknown> => lastValueFrom(next.handle(), { defaultValue: undefined });
    return from(this.reads.shown(request, endpointIn(request), () => this.answer(request, reply, work)));
  }

  /**
   * Returns the answer of `work` under the conditions of its request, except for reads of text. Handlers that declare
   * `answersItself` call it without an interceptor's observables: they do everything that may fail in `work`, as requests are
   * validated after their key is known.
   */
  answer<Answer>(
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<Answer>,
  ): Promise<Answer | Buffer | undefined> {
    const endpoint = endpointIn(request);
    return this.idempotency.once(endpoint, request, reply, async () =>
      withRevision(await work(), endpoint, request, reply),
    );
  }
}

const endpointIn = ({ routeOptions }: FastifyRequest): EndpointFacts => {
  const { endpoint } = routeOptions.config;
  invariant(endpoint, 'the route of a handler has an endpoint');
  return endpoint;
};
