import {
  ListMessages,
  type MessagePart,
  ReadMessage,
  Recall,
  SEARCH_MATCHES_DEFAULT,
  SEARCH_MATCHES_MAX,
  SEARCH_TEXT_MAX,
  SearchMessages,
  TraceMessage,
} from '@app/application';
import { jsonObject, messageWindow, provenance, recalled, storedMessage, textMatches } from '@app/contract';
import { defined, MessageId, Revision } from '@app/kernel';
import { Body, Controller, Param, Query } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller } from '../../http/controller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { READERS } from '../roles.js';
import { revision } from '../shapes.js';

const listMessagesQuery = z.strictObject({
  from: revision.default(Revision(0)).describe('First revision'),
  limit: z.coerce.number().int().min(1).max(500).default(100).describe('Maximum number of messages'),
});

const whole = (least: number) => z.coerce.number().int().min(least);

const getMessageQuery = z.strictObject({
  block: whole(0).exactOptional().describe('Only the block with this index, from 0'),
  call: z.string().min(1).max(200).exactOptional().describe('Only the result of the tool call with this ID'),
  byte: whole(0).exactOptional().describe('With a block or a call: first byte of its text in UTF-8, from 0'),
  bytes: whole(1).max(16_777_216).exactOptional().describe('Number of bytes; 65,536 by default'),
  line: whole(1).exactOptional().describe('With a block or a call: first line of its text, from 1'),
  lines: whole(1).max(1_000_000).exactOptional().describe('Number of lines; 500 by default'),
});

const partOf = ({ block, call, byte, bytes, line, lines }: z.output<typeof getMessageQuery>): MessagePart => {
  const byBytes = byte !== undefined || bytes !== undefined;
  const byLines = line !== undefined || lines !== undefined;
  return {
    ...defined({ block, call }),
    ...(byLines && { range: { unit: 'lines', from: line ?? 1, count: lines ?? 500 } }),
    ...(byBytes && !byLines && { range: { unit: 'bytes', from: byte ?? 0, count: bytes ?? 65_536 } }),
  };
};

const searchMessagesQuery = z.strictObject({
  text: z
    .string()
    .min(1)
    .max(SEARCH_TEXT_MAX)
    .describe('Text to find; ignores case and differences in white space'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(SEARCH_MATCHES_MAX)
    .default(SEARCH_MATCHES_DEFAULT)
    .describe('Maximum number of matches; the last message is always searched completely'),
  before: z
    .string()
    .max(200)
    .exactOptional()
    .describe('`before` of the previous answer, to continue the search'),
});

const recallHistoryBody = jsonObject.describe('The input of the call, as the model wrote it');

/** Reads of a session’s messages. */
@Controller()
export class ReadMessagesController extends BusController {
  @Endpoint('GET', 'v1/sessions/:session/messages', {
    id: 'listMessages',
    summary: 'Returns a window of the original messages of a session, oldest first.',
    roles: READERS,
    content: { in: ['items[].content'] },
    query: listMessagesQuery,
    response: messageWindow,
    errors: ['session-not-found', 'revision-not-found'],
  })
  list(
    @Query(valid(listMessagesQuery)) { from, limit }: z.output<typeof listMessagesQuery>,
    @CurrentCaller() { ref }: ApiCaller,
  ) {
    return this.queries.execute(new ListMessages(ref, { from, limit }));
  }

  @Endpoint('GET', 'v1/sessions/:session/messages/:message', {
    id: 'getMessage',
    summary: 'Returns a message, a block or a tool result as it was appended.',
    roles: READERS,
    query: getMessageQuery,
    response: storedMessage,
    content: 'text',
    errors: ['session-not-found', 'message-not-found', 'invalid-id', 'invalid-settings'],
  })
  read(
    @Param('message') message: string,
    @Query(valid(getMessageQuery)) asked: z.output<typeof getMessageQuery>,
    @CurrentCaller() { ref }: ApiCaller,
  ) {
    return this.queries.execute(new ReadMessage(ref, { message: MessageId(message), part: partOf(asked) }));
  }

  @Endpoint('GET', 'v1/sessions/:session/search', {
    id: 'searchMessages',
    summary: 'Searches the original messages of a session for a text, newest first.',
    roles: READERS,
    query: searchMessagesQuery,
    response: textMatches,
    content: 'text',
    errors: ['session-not-found', 'message-not-found', 'invalid-id', 'invalid-settings'],
  })
  search(
    @Query(valid(searchMessagesQuery)) { text, limit, before }: z.output<typeof searchMessagesQuery>,
    @CurrentCaller() { ref }: ApiCaller,
  ) {
    const options = { limit, ...(before !== undefined && { before: MessageId(before) }) };
    return this.queries.execute(new SearchMessages(ref, { text, ...options }));
  }

  @Endpoint('POST', 'v1/sessions/:session/recall', {
    id: 'recallHistory',
    summary: 'Answers a call of the recall_history tool from the recorded history.',
    roles: READERS,
    body: recallHistoryBody,
    response: recalled,
    content: 'text',
    isRead: true,
    errors: ['session-not-found'],
  })
  recall(
    @Body(valid(recallHistoryBody)) input: z.output<typeof recallHistoryBody>,
    @CurrentCaller() { ref }: ApiCaller,
  ) {
    return this.queries.execute(new Recall(ref, input));
  }

  @Endpoint('GET', 'v1/sessions/:session/messages/:message/provenance', {
    id: 'traceMessage',
    summary: 'Returns the current place of a message: sent, cut, summarized or removed.',
    roles: READERS,
    content: 'none',
    response: provenance,
    isRevisioned: true,
    errors: ['session-not-found', 'invalid-id'],
  })
  trace(@Param('message') message: string, @CurrentCaller() { ref }: ApiCaller) {
    return this.queries.execute(new TraceMessage(ref, MessageId(message)));
  }
}
