import { PlaceLegalHold, ReleaseLegalHold, ShowProtection } from '@app/application';
import { MatterName } from '@app/kernel';
import { Body, Controller, Param, Query } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { pageOf, pageQuery, pageRequest, shownPage } from '../http/page.js';
import { valid } from '../http/valid.js';
import { READERS } from '../sessions/roles.js';
import { reasoned } from '../sessions/shapes.js';
import { KEEPERS, legalHold, legalHolds, retentionPeriod } from './shapes.js';

const query = z.strictObject({
  matter: z.string().exactOptional().describe('Only holds for this matter'),
  ...pageQuery,
});
const heldSession = z
  .object({
    session: z.string(),
    holds: z.array(legalHold).describe('Oldest first'),
    period: retentionPeriod.nullable(),
  })
  .meta({ id: 'HeldSession' });

/** `/v1/sessions/:session/holds` and `GET /v1/holds` */
@Controller()
export class LegalHoldsController extends BusController {
  @Endpoint('GET', 'v1/sessions/:session/holds', {
    id: 'listSessionHolds',
    summary: 'Lists the legal holds of a session.',
    roles: READERS,
    content: 'none',
    response: legalHolds,
    errors: ['session-not-found', 'invalid-id'],
  })
  async list(@CurrentCaller() { ref }: ApiCaller) {
    const { holds } = await this.queries.execute(new ShowProtection(ref));
    return { holds };
  }

  @Endpoint('PUT', 'v1/sessions/:session/holds/:matter', {
    id: 'placeLegalHold',
    summary: 'Places a legal hold on a session, which blocks its erasure until the release.',
    roles: KEEPERS,
    content: 'none',
    body: reasoned,
    response: legalHold,
    errors: ['session-not-found', 'invalid-id', 'too-many-holds'],
  })
  place(
    @Param('matter') matter: string,
    @Body(valid(reasoned)) given: z.output<typeof reasoned>,
    @CurrentCaller() { ref, caller }: ApiCaller,
  ) {
    const hold = { matter: MatterName(matter), reason: given.reason };
    return this.commands.execute(new PlaceLegalHold(ref, hold, caller));
  }

  @Endpoint('POST', 'v1/sessions/:session/holds/:matter/release', {
    id: 'releaseLegalHold',
    summary: 'Releases a legal hold and returns the holds that remain.',
    roles: KEEPERS,
    content: 'none',
    body: reasoned,
    response: legalHolds,
    errors: ['session-not-found', 'invalid-id', 'hold-not-found'],
  })
  release(
    @Param('matter') matter: string,
    @Body(valid(reasoned)) given: z.output<typeof reasoned>,
    @CurrentCaller() { ref, caller }: ApiCaller,
  ) {
    const release = { matter: MatterName(matter), reason: given.reason };
    return this.commands.execute(new ReleaseLegalHold(ref, release, caller));
  }

  @Endpoint('GET', 'v1/holds', {
    id: 'listHeldSessions',
    summary: 'Lists the sessions of the tenant with a legal hold, latest activity first.',
    roles: READERS,
    content: 'none',
    query,
    response: pageOf(heldSession),
    errors: ['invalid-request', 'invalid-id', 'projection-behind'],
  })
  async held(
    @Query(valid(query)) { matter, ...page }: z.output<typeof query>,
    @CurrentCaller() { tenant }: ApiCaller,
  ) {
    const filter = matter === undefined ? {} : { matter: MatterName(matter) };
    return shownPage(await this.engine.readModels.heldSessions({ tenant, ...filter, ...pageRequest(page) }));
  }
}
