import { type PalimpsestClient, PalimpsestError } from '@app/client';
import { prose } from '../sessions/texts.js';

/** What the clients themselves know of what they have done. */
export type Records = {
  /** Ids of messages that were answered as appended, by session. */
  readonly appended: Map<string, string[]>;
  readonly errors: Map<string, number>;
  /** Milliseconds by kind of call. */
  readonly took: Readonly<Record<'append' | 'compose' | 'read', number[]>>;
};

export const newRecords = (): Records => ({
  appended: new Map(),
  errors: new Map(),
  took: { append: [], compose: [], read: [] },
});

/** A turn of an agent: question and call, the result, the answer; then the next request, and now and then a look back. */
export const playTurn = async (
  client: PalimpsestClient,
  session: string,
  turn: number,
  records: Records,
): Promise<void> => {
  const id = (part: string): string => `${session}-${turn}-${part}`;
  const call = { type: 'tool_use', id: id('call'), name: 'read_file', input: { path: `src/${turn}.ts` } };
  const result = { type: 'tool_result', tool_use_id: id('call'), content: prose(turn, 1_600) };
  const parts = [
    [
      { id: id('q'), role: 'user' as const, content: prose(turn, 300) },
      { id: id('c'), role: 'assistant' as const, content: [call] },
    ],
    [
      { id: id('r'), role: 'user' as const, content: [result] },
      { id: id('a'), role: 'assistant' as const, content: prose(turn + 1, 600) },
    ],
  ];
  for (const messages of parts) {
    const isLast = messages === parts.at(-1);
    await timed(records, 'append', async () => {
      await client.sessions.append(session, { messages, ...(isLast && { stopReason: 'end_turn' }) });
      const known = records.appended.get(session) ?? [];
      records.appended.set(session, [...known, ...messages.map((message) => message.id)]);
    });
  }
  await timed(records, 'compose', () => client.sessions.compose(session));
  if (turn % 5 === 0) await timed(records, 'read', () => client.sessions.get(session));
};

const timed = async (
  { took, errors }: Records,
  kind: keyof Records['took'],
  work: () => Promise<unknown>,
): Promise<void> => {
  const startedAt = performance.now();
  try {
    await work();
    took[kind].push(performance.now() - startedAt);
  } catch (error) {
    const code = error instanceof PalimpsestError ? `${kind} ${error.code}` : `${kind} ${String(error)}`;
    errors.set(code, (errors.get(code) ?? 0) + 1);
  }
};
