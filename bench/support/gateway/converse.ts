import { invariant, type JsonObject } from '@app/kernel';
import { MODEL } from './model.js';
import type { RecordedSession } from './recorded.js';

export type Talked = {
  /** Answers per second of all conversations together. */
  readonly perSecond: number;
  /** Milliseconds from each request to the first byte of its answer. */
  readonly firstBytes: readonly number[];
};
type Server = { readonly url: string; readonly headers: Readonly<Record<string, string>> };
type Talk = {
  /** A unique name of these conversations. */
  readonly name: string;
  readonly conversations: number;
  readonly session: RecordedSession;
};

/**
 * Plays a recorded session in several concurrent conversations: each request contains the whole history before it.
 */
export const converse = async (server: Server, { name, conversations, session }: Talk): Promise<Talked> => {
  const firstBytes: number[] = [];
  const { beside, messages } = session;
  const answers = messages.length / 2;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: conversations }, async (_, at) => {
      const own = messages.with(0, { role: 'user', content: `${name}, ${at}: ${wordsOf(messages[0])}` });
      for (let answer = 0; answer < answers; answer += 1) {
        const history = own.slice(0, answer * 2 + 1);
        await ask(server, { ...beside, model: MODEL, messages: history }, firstBytes);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  return { perSecond: (conversations * answers) / seconds, firstBytes };
};

const wordsOf = (message: JsonObject | undefined): string => JSON.stringify(message?.content ?? '');

const ask = async ({ url, headers }: Server, request: JsonObject, firstBytes: number[]): Promise<void> => {
  const body = JSON.stringify({ ...request, max_tokens: 1_000, stream: true });
  const startedAt = performance.now();
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2026-10-21', ...headers },
    body,
  });
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body ?? []) {
    if (pieces.length === 0) firstBytes.push(performance.now() - startedAt);
    pieces.push(piece);
  }
  const stream = Buffer.concat(pieces).toString('utf8');
  invariant(response.status === 200 && stream.includes('message_stop'), 'every answer is complete');
};
