import { ExportProof, ShowSession } from '@app/application';
import { SessionId } from '@app/kernel';
import type { McpSource } from '@app/mcp';
import type { ReadModels, SessionFilter } from '@app/ports';
import type { QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { principalOf } from '../http/access.guard.js';
import { contentForbidden, mayReadContent } from '../http/content/content.js';
import { type ContentReads, revisionsIn } from '../http/content/content-reads.js';
import type { EndpointFacts } from '../http/endpoint.js';
import { SESSION_HEADER } from '../http/session-header.js';

type Parts = {
  readonly queries: QueryBus;
  readonly readModels: Pick<ReadModels, 'sessionPage'>;
  readonly reads: ContentReads;
};
/** Sessions of one page of the read model. */
const PAGE = 100;

/** Returns the sessions that the key of a request may read. Each read of text is recorded before it is returned. */
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
    sessions: async function* (filter: SessionFilter) {
      let after: Awaited<ReturnType<ReadModels['sessionPage']>>['next'] | undefined;
      do {
        const page = await readModels.sessionPage({
          ...filter,
          tenant,
          limit: PAGE,
          ...(after && { after }),
        });
        yield* page.items;
        after = page.next;
      } while (after);
    },
    show: (ref) => queries.execute(new ShowSession(ref)),
    proof: async function* (ref) {
      yield* await queries.execute(new ExportProof(ref, { content: 'sealed' }));
    },
    read: async (query, filters) => {
      if (!mayReadContent(principal)) throw contentForbidden();
      const answer = await queries.execute(query);
      const shown = typeof answer === 'object' && answer !== null ? revisionsIn(answer) : {};
      await reads.recordOf(request, endpoint, { session: query.ref.session, shown, filters });
      return answer;
    },
  };
};
