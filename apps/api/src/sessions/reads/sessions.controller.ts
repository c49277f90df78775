import { ShowSession } from '@app/application';
import { budgetState, sessionSummary, sessionView } from '@app/contract';
import { AppError, parseJson, readLogPosition } from '@app/kernel';
import { SESSION_SORTS, type SessionPlace, type SessionQuery, type SessionSort } from '@app/ports';
import { Controller, Query } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller } from '../../http/controller.js';
import { Endpoint } from '../../http/endpoint.js';
import { pageOf, pageQuery } from '../../http/page.js';
import { valid } from '../../http/valid.js';
import { descriptionFilters, title, withLabels } from '../description.js';
import { READERS } from '../roles.js';
import { sessionId } from '../shapes.js';

const query = z.strictObject({
  ...descriptionFilters,
  state: budgetState.exactOptional(),
  parent: sessionId.exactOptional().describe('Child sessions of this session'),
  minOccupancy: z.coerce
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .exactOptional()
    .describe('Minimum size of the next request, in billed tokens'),
  title: title.exactOptional().describe('Words in the title, in any case'),
  sort: z
    .enum(SESSION_SORTS)
    .meta({ id: 'SessionSort' })
    .default('-lastActivity')
    .describe('`-` sorts newest or largest first'),
  ...pageQuery,
  cursor: z.string().max(300).exactOptional().describe('`next` of the previous page, with the same sort'),
});

const queryOf = (
  tenant: SessionQuery['tenant'],
  { cursor, ...given }: z.output<typeof query>,
): SessionQuery => ({
  tenant,
  ...withLabels(given),
  ...(cursor !== undefined && { after: placeIn(cursor, given.sort) }),
});

const cursorOf = (sort: SessionSort, { value, session }: SessionPlace): string =>
  Buffer.from(JSON.stringify([sort, value, session])).toString('base64url');

/** @throws {AppError} `invalid-request` for a malformed cursor, or one of another sort order. */
const placeIn = (cursor: string, sort: SessionSort): SessionPlace => {
  const parsed = place.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  const [order, value, session] = parsed.data ?? [];
  if (order === sort && value !== undefined && session !== undefined) {
    const isTime = sort.endsWith('opened');
    if (isTime ? isInstant(value) : readLogPosition(value) !== undefined) return { value, session };
  }
  throw new AppError(
    'invalid-request',
    'cursor: it belongs to no page in this sort order; pass `next` of the previous page with the same sort',
  );
};

const place = z.tuple([z.string(), z.string(), sessionId]);

const isInstant = (text: string): boolean => z.iso.datetime().safeParse(text).success;

/** Lists sessions and shows one. */
@Controller()
export class ReadSessionsController extends BusController {
  @Endpoint('GET', 'v1/sessions', {
    id: 'listSessions',
    summary: 'Lists the sessions of the tenant, latest activity first unless sorted.',
    roles: READERS,
    content: 'none',
    query,
    response: pageOf(sessionSummary),
    errors: ['invalid-request', 'projection-behind'],
  })
  async list(@Query(valid(query)) given: z.output<typeof query>, @CurrentCaller() { tenant }: ApiCaller) {
    const { items, next } = await this.engine.readModels.sessionPage(queryOf(tenant, given));
    return { items, next: next && cursorOf(given.sort, next) };
  }

  @Endpoint('GET', 'v1/sessions/:session', {
    id: 'getSession',
    summary: 'Returns the state, settings, pins and budget of a session.',
    roles: READERS,
    content: { in: ['pins[].text'] },
    response: sessionView,
    isRevisioned: true,
    errors: ['session-not-found'],
  })
  show(@CurrentCaller() { ref }: ApiCaller) {
    return this.queries.execute(new ShowSession(ref));
  }
}
