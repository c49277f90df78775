/** Answers of the API by method and path, which the console shows in place of the service. */
export type Recording = {
  readonly session: string;
  readonly recordedAt: string;
  readonly withContent: boolean;
  /** SHA-256 of the proof bundle beside it, base64. */
  readonly proof: string;
  readonly answers: Readonly<Record<string, string>>;
};

/** Asks the API as the caller; resolves to `undefined` for an answer that is all text where text is left out. */
export type Ask = (path: string) => Promise<string | undefined>;

/** Compactions and contexts that one page holds at most: it has to open in a browser. */
const COMPACTIONS_MAX = 60;
const MESSAGES_MAX = 20_000;
const BINS = 600;
const TURNS_A_READ = 500;
const MESSAGES_A_READ = 500;

/** Returns the API answers that the views of a session need. */
export const recordedAnswers = async (session: string, ask: Ask): Promise<Recording['answers']> => {
  const answers = new Map<string, string>();
  const keep: Ask = async (path) => {
    const text = await ask(path);
    if (text !== undefined) answers.set(`GET ${path}`, text);
    return text;
  };
  const at = `/v1/sessions/${encodeURIComponent(session)}`;
  const { revision } = parsed(await keep(at));
  const { marks } = parsed(await keep(`${at}/occupancy?bins=${BINS}`));
  await keep(`${at}/occupancy?bins=${BINS}&axis=time`);
  await keep(`${at}/retention`);
  await keep(`${at}/compactions?limit=500`);
  for (const [id, kind] of (await columnsOf(at, keep)).slice(-COMPACTIONS_MAX)) {
    const path = `${at}/compactions/${encodeURIComponent(id)}`;
    await keep(path);
    if (kind === 'compaction') await keep(`${path}/outcome?timeoutSeconds=1`);
  }
  const newest: { readonly revision: number }[] = marks.slice(-COMPACTIONS_MAX / 2);
  const shown = newest.flatMap((mark) => [mark.revision, Math.max(0, mark.revision - 1)]);
  for (const one of new Set<number>([revision, ...shown])) await keep(`${at}/context?asOf=${one}`);
  await keep(`${at}/events`);
  for (const message of await messagesOf(at, ask))
    answers.set(`GET ${at}/messages/${encodeURIComponent(message.id)}`, JSON.stringify(message));
  return Object.fromEntries(answers);
};

/** The members of a JSON object; none of an answer that is left out. */
const parsed = (text: string | undefined) => Object(JSON.parse(text ?? 'null'));

/** Keeps the retention map, and returns the IDs and kinds of its columns, oldest first. */
const columnsOf = async (
  at: string,
  keep: Ask,
): Promise<readonly (readonly [id: string, kind: string])[]> => {
  const kinds = new Map<string, string>();
  for (let from = 0, turns = 0; from <= turns; from += TURNS_A_READ) {
    const map = parsed(await keep(`${at}/retention-map?from=${from}&turns=${TURNS_A_READ}`));
    for (const { compactionId, kind } of map.columns) kinds.set(compactionId, kind);
    turns = map.turns;
  }
  return [...kinds];
};

const messagesOf = async (at: string, ask: Ask): Promise<readonly { readonly id: string }[]> => {
  const messages: { readonly id: string }[] = [];
  for (let from: number | null = 0; from !== null && messages.length < MESSAGES_MAX; ) {
    const text = await ask(`${at}/messages?from=${from}&limit=${MESSAGES_A_READ}`);
    if (text === undefined) break;
    const page = JSON.parse(text);
    messages.push(...page.items);
    from = page.next;
  }
  return messages;
};
