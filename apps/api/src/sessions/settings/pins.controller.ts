import { PinContent, UnpinContent } from '@app/application';
import { pin, pinKind } from '@app/contract';
import { PinId } from '@app/kernel';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { MANAGERS } from '../roles.js';

const pinned = z.strictObject({
  kind: pinKind.default('constraint'),
  text: z.string().regex(/\S/, 'there is nothing to pin').describe('The content'),
});

/** Pins of a session: `/v1/sessions/:session/pins` */
@Controller()
export class PinsController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('PUT', 'v1/sessions/:session/pins/:pin', {
    id: 'pinContent',
    summary: 'Pins content that every request carries, and returns all pins.',
    roles: MANAGERS,
    content: { in: ['[].text'] },
    body: pinned,
    response: z.array(pin),
    errors: ['session-not-found', 'session-closed', 'invalid-id'],
  })
  pin(
    @Param('session') id: string,
    @Param('pin') name: string,
    @Body(valid(pinned)) content: z.output<typeof pinned>,
    @CurrentCaller() { session, caller }: ApiCaller,
  ) {
    return this.commands.execute(new PinContent(session(id), { pinId: PinId(name), ...content }, caller));
  }

  @Endpoint('DELETE', 'v1/sessions/:session/pins/:pin', {
    id: 'unpinContent',
    summary: 'Removes a pin and returns the remaining pins.',
    roles: MANAGERS,
    content: { in: ['[].text'] },
    response: z.array(pin),
    errors: ['session-not-found', 'session-closed', 'pin-not-found', 'invalid-id'],
  })
  unpin(
    @Param('session') id: string,
    @Param('pin') name: string,
    @CurrentCaller() { session, caller }: ApiCaller,
  ) {
    return this.commands.execute(new UnpinContent(session(id), PinId(name), caller));
  }
}
