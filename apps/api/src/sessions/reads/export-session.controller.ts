import { exportedMessages, ReadSession } from '@app/application';
import { exportedMessage } from '@app/contract';
import { Controller, Query } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller } from '../../http/controller.js';
import { Endpoint } from '../../http/endpoint.js';
import { ndjson } from '../../http/ndjson.js';
import { valid } from '../../http/valid.js';
import { READERS } from '../roles.js';
import { asOf } from '../shapes.js';

const query = z.strictObject({
  message: z.string().max(200).exactOptional().describe('Only this message'),
  asOf: asOf
    .exactOptional()
    .describe('Only messages up to a revision, a time (ISO 8601) or the state of a request ID'),
});

/** `GET /v1/sessions/:session/export` */
@Controller()
export class ExportSessionController extends BusController {
  @Endpoint('GET', 'v1/sessions/:session/export', {
    id: 'exportSession',
    summary: 'Exports the messages of a session as NDJSON, as they were appended.',
    roles: READERS,
    content: 'text',
    query,
    response: exportedMessage,
    produces: 'application/x-ndjson',
    errors: ['session-not-found', 'message-not-found', 'revision-not-found', 'request-not-found'],
  })
  async export(
    @Query(valid(query)) { message, asOf: state }: z.output<typeof query>,
    @CurrentCaller() { ref }: ApiCaller,
  ) {
    const read = new ReadSession(ref, { asOf: state });
    return ndjson(exportedMessages(await this.queries.execute(read), message));
  }
}
