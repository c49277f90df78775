import { invariant } from '@app/kernel';
import { MODEL } from './model.js';

export type Talked = {
  /** Answers a second, of all conversations together. */
  readonly perSecond: number;
  /** Milliseconds from each request to the first byte of its answer. */
  readonly firstBytes: readonly number[];
};
type Server = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** Holds conversations, all at once, each of so many turns with a history that grows. */
export const converse = async (
  server: Server,
  {
    name,
    conversations,
    turns,
  }: { readonly name: string; readonly conversations: number; readonly turns: number },
): Promise<Talked> => {
  const firstBytes: number[] = [];
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: conversations }, async (_, at) => {
      const messages: { readonly role: string; readonly content: string }[] = [];
      for (let turn = 0; turn < turns; turn += 1) {
        messages.push({
          role: 'user',
          content: `${name}, ${at}: question ${turn}. ${'Say more. '.repeat(40)}`,
        });
        messages.push({ role: 'assistant', content: await ask(server, messages, firstBytes) });
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  return { perSecond: (conversations * turns) / seconds, firstBytes };
};

const ask = async (
  { url, headers }: Server,
  messages: readonly object[],
  firstBytes: number[],
): Promise<string> => {
  const startedAt = performance.now();
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2026-10-21', ...headers },
    body: JSON.stringify({ model: MODEL, max_tokens: 1_000, stream: true, messages }),
  });
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body ?? []) {
    if (pieces.length === 0) firstBytes.push(performance.now() - startedAt);
    pieces.push(piece);
  }
  const stream = Buffer.concat(pieces).toString('utf8');
  invariant(response.status === 200 && stream.includes('message_stop'), 'every answer comes to its end');
  return [...stream.matchAll(/"text_delta","text":"([^"]*)"/g)].map(([, text]) => text).join('');
};
