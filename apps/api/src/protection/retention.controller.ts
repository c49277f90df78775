import {
  GetRetentionDefaults,
  RemoveRetention,
  SetRetention,
  SetRetentionDefaults,
  ShowProtection,
} from '@app/application';
import { LIMITS } from '@app/kernel';
import { Body, Controller } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { READERS } from '../sessions/roles.js';
import { reason, reasoned } from '../sessions/shapes.js';
import {
  barrier,
  KEEPERS,
  legalHold,
  retentionDefault,
  retentionMode,
  retentionPeriod,
  until,
} from './shapes.js';

const body = z
  .strictObject({ mode: retentionMode, until, reason: reason.exactOptional() })
  .meta({ id: 'RetentionRequest' });

const protection = z
  .object({
    session: z.string(),
    period: retentionPeriod.nullable(),
    holds: z.array(legalHold).describe('Oldest first'),
    barrier: barrier.nullable().describe('`null` if the session may be erased'),
  })
  .meta({ id: 'SessionProtection', description: 'The facts that forbid to erase a session.' });

const profileName = z.string().min(1).max(LIMITS.profileName.max);
const defaults = z
  .strictObject({
    default: retentionDefault.nullable().describe('Period for all other profiles; `null` for none'),
    profiles: z
      .record(profileName, retentionDefault.nullable())
      .describe('Periods by profile name; `null` exempts a profile'),
  })
  .meta({ id: 'RetentionDefaults' });

/** `/v1/sessions/:session/retention` and `/v1/retention` */
@Controller()
export class RetentionController extends BusController {
  @Endpoint('GET', 'v1/sessions/:session/retention', {
    id: 'getRetention',
    summary: 'Returns the retention period and the legal holds of a session.',
    roles: READERS,
    content: 'none',
    response: protection,
    errors: ['session-not-found', 'invalid-id'],
  })
  show(@CurrentCaller() { ref }: ApiCaller) {
    return this.queries.execute(new ShowProtection(ref));
  }

  @Endpoint('PUT', 'v1/sessions/:session/retention', {
    id: 'setRetention',
    summary:
      'Sets the retention period of a session. Shortening requires the mode `governance`, the permission `retention:shorten` and a reason.',
    roles: KEEPERS,
    content: 'none',
    body,
    response: retentionPeriod,
    errors: ['session-not-found', 'invalid-id', 'retention-locked', 'invalid-settings'],
  })
  set(
    @Body(valid(body)) period: z.output<typeof body>,
    @CurrentCaller() { ref, caller, permissions }: ApiCaller,
  ) {
    const input = { ...period, mayShorten: permissions.includes('retention:shorten') };
    return this.commands.execute(new SetRetention(ref, input, caller));
  }

  @Endpoint('POST', 'v1/sessions/:session/retention/remove', {
    id: 'removeRetention',
    summary: 'Removes the retention period of a session, as far as its mode permits.',
    roles: KEEPERS,
    content: 'none',
    body: reasoned,
    response: z.object({ removed: z.boolean().describe('`false` if there was none') }),
    errors: ['session-not-found', 'invalid-id', 'retention-locked'],
  })
  remove(
    @Body(valid(reasoned)) given: z.output<typeof reasoned>,
    @CurrentCaller() { ref, caller, permissions }: ApiCaller,
  ) {
    const input = { ...given, mayShorten: permissions.includes('retention:shorten') };
    return this.commands.execute(new RemoveRetention(ref, input, caller));
  }

  @Endpoint('GET', 'v1/retention', {
    id: 'getRetentionDefaults',
    summary: 'Returns the retention periods of new sessions of the tenant.',
    roles: ['operator', 'auditor', 'admin'],
    content: 'none',
    response: defaults,
  })
  showDefaults(@CurrentCaller() { tenant }: ApiCaller) {
    return this.queries.execute(new GetRetentionDefaults(tenant));
  }

  @Endpoint('PUT', 'v1/retention', {
    id: 'setRetentionDefaults',
    summary: 'Replaces the retention periods of new sessions of the tenant; existing sessions keep theirs.',
    roles: ['admin'],
    content: 'none',
    body: defaults,
    response: defaults,
    errors: ['invalid-settings'],
  })
  setDefaults(
    @Body(valid(defaults)) given: z.output<typeof defaults>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    return this.commands.execute(new SetRetentionDefaults(tenant, given, caller));
  }
}
