import { type PalimpsestClient, PalimpsestError } from '@app/client';
import { prose } from '../sessions/texts.js';

/** The clients' own records of their calls. */
export type Records = {
  /** Ids of acknowledged messages, by session. */
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

/** Turns of a session's history, and the number of requests that append them. */
const HISTORY = 12;
const HISTORY_REQUESTS = 3;

/** Opens a session with a history near its window, so that its next turns compact it. Not measured. */
export const openWithHistory = async (
  client: PalimpsestClient,
  session: string,
  window: number,
  { appended }: Records,
): Promise<number> => {
  await client.sessions.open({ session, window });
  const turns = HISTORY / HISTORY_REQUESTS;
  for (let first = 1; first <= HISTORY; first += turns) {
    const messages = Array.from({ length: turns }, (_, at) => partsOf(session, first + at)).flat(2);
    await client.sessions.append(session, { messages, stopReason: 'end_turn' });
    appended.set(session, [...(appended.get(session) ?? []), ...messages.map(({ id }) => id)]);
  }
  return HISTORY;
};

/** Plays an agent's turn: question and call, result, answer; then the next request, and occasionally a read. */
export const playTurn = async (
  client: PalimpsestClient,
  session: string,
  turn: number,
  records: Records,
): Promise<void> => {
  const parts = partsOf(session, turn);
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

/** Returns a turn's appends, one per request. */
const partsOf = (session: string, turn: number) => {
  const id = (part: string): string => `${session}-${turn}-${part}`;
  const call = { type: 'tool_use', id: id('call'), name: 'read_file', input: { path: `src/${turn}.ts` } };
  const result = { type: 'tool_result', tool_use_id: id('call'), content: prose(turn, 1_600) };
  return [
    [
      { id: id('q'), role: 'user' as const, content: prose(turn, 300) },
      { id: id('c'), role: 'assistant' as const, content: [call] },
    ],
    [
      { id: id('r'), role: 'user' as const, content: [result] },
      { id: id('a'), role: 'assistant' as const, content: prose(turn + 1, 600) },
    ],
  ];
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
