import { UnpinContent } from '@app/application';
import { pin } from '@app/contract';
import { PinId } from '@app/kernel';
import { Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { MANAGERS } from '../roles.js';

/** `DELETE /v1/sessions/:session/pins/:pin` */
@Controller()
export class UnpinContentController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

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
