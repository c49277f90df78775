import {
  ApproveErasure,
  ChangeErasurePolicy,
  ListErasures,
  RequestErasure,
  ShowErasure,
  WithdrawErasure,
} from '@app/application';
import { erasure } from '@app/contract';
import { ErasureId, LIMITS } from '@app/kernel';
import type { Role } from '@app/ports';
import { Body, Controller, Param } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { sessionId, subjectName } from '../sessions/shapes.js';

/** Roles that may erase, and roles that may read erasures. */
const ERASERS: readonly Role[] = ['privacy', 'admin'];
const READERS: readonly Role[] = ['privacy', 'auditor', 'operator', 'admin'];

const erasureIn = (id: string): ErasureId => ErasureId(id);

const erasureReason = z
  .string()
  .min(1)
  .max(LIMITS.reason.max)
  .describe('Reason for the audit; kept permanently, so it must not contain personal data');

const requested = z
  .strictObject({
    subject: subjectName
      .exactOptional()
      .describe('Erases a data subject’s content in all sessions of the tenant'),
    session: sessionId.exactOptional().describe('Erases all content of a session'),
    tenant: z.literal(true).exactOptional().describe('Erases all content of the key’s tenant'),
    reason: erasureReason,
  })
  .refine(
    ({ subject, session, tenant }) =>
      [subject, session, tenant].filter((one) => one !== undefined).length === 1,
    { message: 'give one of subject, session and tenant' },
  )
  .meta({ id: 'ErasureRequest' });

const policy = z
  .strictObject({
    people: z.literal([1, 2]).describe('2 if another person approves each erasure'),
  })
  .meta({ id: 'ErasurePolicy' });

const withdrawal = z.strictObject({ reason: erasureReason });

/** `/v1/erasures` and `PUT /v1/erasure-policy` */
@Controller()
export class ErasuresController extends BusController {
  @Endpoint('PUT', 'v1/erasure-policy', {
    id: 'changeErasurePolicy',
    summary: 'Sets whether another person has to approve each erasure.',
    roles: ['admin'],
    content: 'none',
    body: policy,
    response: policy,
  })
  changePolicy(
    @Body(valid(policy)) { people }: z.output<typeof policy>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    return this.commands.execute(new ChangeErasurePolicy(tenant, people, caller));
  }

  @Endpoint('GET', 'v1/erasures', {
    id: 'listErasures',
    summary: 'Lists the erasures of the tenant, newest first.',
    roles: READERS,
    content: 'none',
    response: z.object({ erasures: z.array(erasure), ...policy.shape }),
  })
  list(@CurrentCaller() { tenant }: ApiCaller) {
    return this.queries.execute(new ListErasures(tenant));
  }

  @Endpoint('GET', 'v1/erasures/:erasure', {
    id: 'showErasure',
    summary: 'Shows an erasure with its receipt.',
    roles: READERS,
    content: 'none',
    response: erasure,
    errors: ['invalid-id', 'erasure-not-found'],
  })
  show(@Param('erasure') id: string, @CurrentCaller() { tenant }: ApiCaller) {
    return this.queries.execute(new ShowErasure(tenant, erasureIn(id)));
  }

  @Endpoint('POST', 'v1/erasures', {
    id: 'requestErasure',
    summary: 'Erases content for good: of a data subject, of a session, or of the whole tenant.',
    roles: ERASERS,
    content: 'none',
    status: 201,
    body: requested,
    response: erasure,
    errors: ['session-not-found'],
  })
  request(
    @Body(valid(requested)) { subject, session, reason }: z.output<typeof requested>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    const target =
      subject !== undefined
        ? ({ scope: 'subject', subject } as const)
        : session !== undefined
          ? ({ scope: 'session', session } as const)
          : ({ scope: 'tenant' } as const);
    return this.commands.execute(new RequestErasure(tenant, { target, reason }, caller));
  }

  @Endpoint('POST', 'v1/erasures/:erasure/approval', {
    id: 'approveErasure',
    summary: 'Approves an erasure that another person has requested, and carries it out.',
    roles: ERASERS,
    content: 'none',
    response: erasure,
    errors: ['invalid-id', 'erasure-not-found', 'erasure-not-pending', 'approval-by-requester'],
  })
  approve(@Param('erasure') id: string, @CurrentCaller() { tenant, caller }: ApiCaller) {
    return this.commands.execute(new ApproveErasure(tenant, erasureIn(id), caller));
  }

  @Endpoint('POST', 'v1/erasures/:erasure/withdrawal', {
    id: 'withdrawErasure',
    summary: 'Withdraws an erasure that has not begun.',
    roles: ERASERS,
    content: 'none',
    body: withdrawal,
    response: erasure,
    errors: ['invalid-id', 'erasure-not-found', 'erasure-not-pending'],
  })
  withdraw(
    @Param('erasure') id: string,
    @Body(valid(withdrawal)) { reason }: z.output<typeof withdrawal>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    return this.commands.execute(new WithdrawErasure(tenant, { erasure: erasureIn(id), reason }, caller));
  }
}
