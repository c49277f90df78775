import { type MessagePart, ReadMessage } from '@app/application';
import { storedMessage } from '@app/contract';
import { MessageId } from '@app/kernel';
import { Controller, Inject, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { READERS } from '../roles.js';

const whole = (least: number) => z.coerce.number().int().min(least);
const query = z.strictObject({
  block: whole(0).optional().describe('This block alone, by its index from 0'),
  call: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The result of this tool call alone, by the id of the call'),
  byte: whole(0).optional().describe('With a block or a call: its text from this byte of UTF-8 on, from 0'),
  bytes: whole(1).max(16_777_216).optional().describe('How many bytes; 65,536 by default'),
  line: whole(1).optional().describe('With a block or a call: its text from this line on, from 1'),
  lines: whole(1).max(1_000_000).optional().describe('How many lines; 500 by default'),
});

/** `GET /v1/sessions/:session/messages/:message` */
@Controller()
export class ReadMessageController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/sessions/:session/messages/:message', {
    id: 'getMessage',
    summary: 'Returns a message, a block or a tool result as it was appended.',
    roles: READERS,
    query,
    response: storedMessage,
    content: 'text',
    errors: ['session-not-found', 'message-not-found', 'invalid-id', 'invalid-settings'],
  })
  read(
    @Param('session') id: string,
    @Param('message') message: string,
    @Query(valid(query)) asked: z.output<typeof query>,
    @CurrentCaller() { session }: ApiCaller,
  ) {
    return this.queries.execute(new ReadMessage(session(id), MessageId(message), partOf(asked)));
  }
}

const partOf = ({ block, call, byte, bytes, line, lines }: z.output<typeof query>): MessagePart => {
  const byBytes = byte !== undefined || bytes !== undefined;
  const byLines = line !== undefined || lines !== undefined;
  return {
    ...(block !== undefined && { block }),
    ...(call !== undefined && { call }),
    ...(byLines && { range: { unit: 'lines', from: line ?? 1, count: lines ?? 500 } }),
    ...(byBytes && !byLines && { range: { unit: 'bytes', from: byte ?? 0, count: bytes ?? 65_536 } }),
  };
};
