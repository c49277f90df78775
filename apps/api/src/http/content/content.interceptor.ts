import type { Json } from '@app/kernel';
import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { mergeMap, type Observable } from 'rxjs';
import { principalOf } from '../access.guard.js';
import { type EndpointFacts, endpointOf } from '../endpoint.js';
import { holdsContent, mayReadContent, withoutContent } from './content.js';
import { ContentReads, reasonIn, revisionsIn } from './content-reads.js';

/** Removes text from answers to keys that may not read it, and records each answer with text before it is sent. */
@Injectable()
export class ContentInterceptor implements NestInterceptor {
  constructor(@Inject(ContentReads) private readonly reads: ContentReads) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const endpoint = endpointOf(context.getHandler());
    if (!endpoint) return next.handle();
    const { content } = endpoint;
    if (content === 'none' || content === 'request' || content === 'streamed') return next.handle();
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    reasonIn(request); // Validates the header before the handler runs.
    const shown = content === 'text' ? this.text : this.mixed(content.in);
    return next.handle().pipe(mergeMap((answer: unknown) => shown(answer, request, endpoint)));
  }

  /** Records an answer that is all text; the guard has rejected keys that may not read it. */
  private readonly text = async (
    answer: unknown,
    request: FastifyRequest,
    endpoint: EndpointFacts,
  ): Promise<unknown> => {
    if (answer === undefined) return answer; // 304: no text is sent.
    try {
      const own = isObject(answer) ? revisionsIn(answer) : {};
      // On the route of one message, the revision of the answer is that of the message.
      const alone = endpoint.path.includes(':message') && own.to !== undefined ? { from: own.to } : {};
      await this.reads.record(request, endpoint, { ...own, ...alone, ...fromIn(request) });
    } catch (error) {
      if (answer instanceof StreamableFile) answer.getStream().destroy();
      throw error;
    }
    return answer;
  };

  private readonly mixed =
    (paths: readonly string[]) =>
    async (answer: unknown, request: FastifyRequest, endpoint: EndpointFacts): Promise<unknown> => {
      if (!isObject(answer)) return answer;
      // A stored answer of an Idempotency-Key is replayed as bytes.
      const json: Json = JSON.parse(Buffer.isBuffer(answer) ? answer.toString() : JSON.stringify(answer));
      if (!holdsContent(json, paths)) return answer;
      if (mayReadContent(principalOf(request))) {
        await this.reads.record(request, endpoint, isObject(json) ? revisionsIn(json) : {});
        return answer;
      }
      const left = withoutContent(json, paths);
      return Buffer.isBuffer(answer) ? Buffer.from(JSON.stringify(left)) : left;
    };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const fromIn = ({ query }: FastifyRequest): { readonly from?: number } => {
  const from = isObject(query) ? Number(Reflect.get(query, 'from') ?? Number.NaN) : Number.NaN;
  return Number.isSafeInteger(from) ? { from } : {};
};
