import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Observable } from 'rxjs';
import { IdempotencyInterceptor } from './conditions/idempotency.interceptor.js';
import { RevisionInterceptor } from './conditions/revision.interceptor.js';
import { ContentInterceptor } from './content/content.interceptor.js';

/**
 * Runs the interceptors of all endpoints as one: Nest makes observables and promises for each that is registered, also where it
 * does nothing.
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
}
