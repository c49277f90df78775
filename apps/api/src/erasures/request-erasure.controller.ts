import { ApproveErasure, RequestErasure, WithdrawErasure } from '@app/application';
import { erasure } from '@app/contract';
import { Body, Controller, Param } from '@nestjs/common';
import { z } from 'zod';
import { BusController } from '../http/bus-controller.js';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { ERASERS, erasureIn, erasureReason, requested } from './shapes.js';

const withdrawal = z.strictObject({ reason: erasureReason });

/** `POST /v1/erasures`, and the approval or withdrawal of an erasure. */
@Controller()
export class RequestErasureController extends BusController {
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
