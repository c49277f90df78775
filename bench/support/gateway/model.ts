import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** How a model answers: a while until its first word, then word by word. */
export type Pace = { readonly firstMs: number; readonly words: number; readonly everyMs: number };

/** Answers every request of Anthropic's messages as a stream, at the pace of a model. */
export const startModel = ({ firstMs, words, everyMs }: Pace): Promise<{ url: string; close(): void }> => {
  let answers = 0;
  const server = createServer(async (incoming, outgoing) => {
    incoming.resume();
    answers += 1;
    const id = `msg_${answers}`;
    await pause(firstMs);
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    const tell = (type: string, more: object): boolean =>
      outgoing.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
    const message = { id, type: 'message', role: 'assistant', model: MODEL, content: [], stop_reason: null };
    tell('message_start', { message: { ...message, usage: { input_tokens: 100, output_tokens: 1 } } });
    tell('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
    for (let word = 0; word < words; word += 1) {
      if (everyMs > 0) await pause(everyMs);
      tell('content_block_delta', {
        index: 0,
        delta: { type: 'text_delta', text: `word ${word} of ${id}, ` },
      });
    }
    tell('content_block_stop', { index: 0 });
    tell('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: words } });
    tell('message_stop', {});
    outgoing.end();
  });
  return listening(server);
};

export const MODEL = 'claude-opus-4-6';

export const listening = (server: Server): Promise<{ url: string; close(): void }> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port }: Partial<AddressInfo> = Object(server.address());
      resolve({ url: `http://127.0.0.1:${port}`, close: () => void server.close() });
    });
  });
