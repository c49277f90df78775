import { ExportProof, type SessionRef, ShowSession } from '@app/application';
import { SessionId, type TenantId } from '@app/kernel';
import type { McpSource } from '@app/mcp';
import type { ReadModels, SessionFilter, SessionSummary } from '@app/ports';
import type { QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { principalOf } from '../http/access.guard.js';
import { contentForbidden, mayReadContent } from '../http/content/content.js';
import { type ContentReads, revisionsIn } from '../http/content/content-reads.js';
import { type EndpointFacts, SESSION_HEADER } from '../http/endpoint.js';
import { publicError } from '../http/problem.filter.js';

type Parts = {
  readonly queries: QueryBus;
  readonly readModels: Pick<ReadModels, 'sessionPage'>;
  readonly reads: ContentReads;
};
/** Sessions of one page of the read model. */
const PAGE = 100;

/**
 * Returns the sessions that the key of a request may read. Each read of text is recorded before it is returned. Errors have
 * public messages, since the server of the protocol sends them.
 */
export const sourceOf = (
  request: FastifyRequest,
  endpoint: Pick<EndpointFacts, 'method' | 'path'>,
  { queries, readModels, reads }: Parts,
): McpSource => {
  const principal = principalOf(request);
  const { tenant } = principal;
  const own = request.headers[SESSION_HEADER];
  return {
    tenant,
    ...(typeof own === 'string' && { session: SessionId(own) }),
    sessions: (filter: SessionFilter) => publicItems(sessionsOf({ ...filter, tenant }, readModels)),
    show: (ref) => publicAnswer(queries.execute(new ShowSession(ref))),
    proof: (ref) => publicItems(proofOf(ref, queries)),
    read: (query, filters) => {
      const answered = async () => {
        if (!mayReadContent(principal)) throw contentForbidden();
        const answer = await queries.execute(query);
        const shown = typeof answer === 'object' && answer !== null ? revisionsIn(answer) : {};
        await reads.recordOf(request, endpoint, { session: query.ref.session, shown, filters });
        return answer;
      };
      return publicAnswer(answered());
    },
  };
};

async function* sessionsOf(
  filter: SessionFilter & { readonly tenant: TenantId },
  readModels: Parts['readModels'],
): AsyncGenerator<SessionSummary> {
  let after: Awaited<ReturnType<ReadModels['sessionPage']>>['next'] | undefined;
  do {
    const page = await readModels.sessionPage({ ...filter, limit: PAGE, ...(after && { after }) });
    yield* page.items;
    after = page.next;
  } while (after);
}

async function* proofOf(ref: SessionRef, queries: QueryBus): AsyncGenerator<string> {
  yield* await queries.execute(new ExportProof(ref, { content: 'sealed' }));
}

const publicAnswer = <Answer>(answered: Promise<Answer>): Promise<Answer> =>
  answered.catch((error: unknown) => {
    throw publicError(error);
  });

async function* publicItems<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    throw publicError(error);
  }
}
