import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { isJsonObject, type JsonObject, parseJsonObject } from '@app/kernel';

/** The pace of a model: a delay before its first word, then a delay per chunk. */
export type Pace = { readonly firstMs: number; readonly everyMs: number };

export const MODEL = 'claude-opus-4-6';
/** Characters of a streamed chunk: about a word. */
const PIECE = 6;

/** Streams the answers of a recorded session, each to its request, at the pace of a model. */
export const startModel = (
  { firstMs, everyMs }: Pace,
  answers: readonly (readonly JsonObject[])[],
): Promise<{ url: string; close(): void }> => {
  let told = 0;
  const server = createServer(async (incoming, outgoing) => {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece);
    const blocks = answers[answersBefore(Buffer.concat(pieces).toString('utf8'))] ?? [];
    told += 1;
    await pause(firstMs);
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const frame of framesOf(`msg_${told}`, blocks)) {
      if (frame.includes('content_block_delta')) await pause(everyMs);
      outgoing.write(frame);
    }
    outgoing.end();
  });
  return listening(server);
};

/** Returns the number of the model's answers in a request's history. */
const answersBefore = (request: string): number => {
  const messages = parseJsonObject(request)?.messages;
  if (!Array.isArray(messages)) return 0;
  return messages.filter((one) => isJsonObject(one) && one.role === 'assistant').length;
};

const frameOf = (type: string, more: JsonObject): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;

function* framesOf(id: string, blocks: readonly JsonObject[]): Generator<string, void, undefined> {
  const usage = { input_tokens: 100, output_tokens: 1 };
  const message = { id, type: 'message', role: 'assistant', model: MODEL, content: [], stop_reason: null };
  yield frameOf('message_start', { message: { ...message, usage } });
  for (const [index, block] of blocks.entries()) {
    const isCall = block.type === 'tool_use';
    const { input, ...call } = block;
    const opening = isCall ? { ...call, input: {} } : { type: 'text', text: '' };
    yield frameOf('content_block_start', { index, content_block: opening });
    const whole = isCall ? JSON.stringify(input) : String(block.text);
    for (let at = 0; at < whole.length; at += PIECE) {
      const said = whole.slice(at, at + PIECE);
      const delta = isCall
        ? { type: 'input_json_delta', partial_json: said }
        : { type: 'text_delta', text: said };
      yield frameOf('content_block_delta', { index, delta });
    }
    yield frameOf('content_block_stop', { index });
  }
  const isOver = blocks.every(({ type }) => type !== 'tool_use');
  const delta = { stop_reason: isOver ? 'end_turn' : 'tool_use' };
  yield frameOf('message_delta', { delta, usage: { output_tokens: 50 } });
  yield frameOf('message_stop', {});
}

export const listening = (server: Server): Promise<{ url: string; close(): void }> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port }: Partial<AddressInfo> = Object(server.address());
      resolve({ url: `http://127.0.0.1:${port}`, close: () => void server.close() });
    });
  });
