import { isToolResult } from '@app/client';
import type { Played } from './run.js';
import { CALLS, ENDED_TASKS, LAST_ANSWER, PROMPTS, RULES } from './scenario.js';

/** A complaint of users of compactors, and how a run shows that it does not hold; throws with what failed. */
export type Complaint = { readonly name: string; readonly check: (played: Played) => Promise<void> };

const need = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new Error(otherwise);
};

/** All texts of a request, whatever the wire format, in order. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};
const lastOf = ({ requests }: Played): unknown => JSON.parse(requests.at(-1)?.text ?? '{}');
const recordIn = (played: Played): string =>
  textsIn(lastOf(played)).find((text) => text.startsWith('<conversation-record')) ?? '';
const eventsOf = async ({ client, session }: Played, type: string) => {
  const found = [];
  for await (const event of client.sessions.events(session)) if (event.type === type) found.push(event);
  return found;
};
/** The messages of a request in OpenAI's formats. */
const messagesIn = (request: unknown): readonly unknown[] => {
  const { input, messages }: { input?: unknown[]; messages?: unknown[] } = Object(request);
  return input ?? messages ?? [];
};

const rulesKept = async (played: Played): Promise<void> => {
  const compactions = (await eventsOf(played, 'CompactionCompleted')).length;
  need(compactions >= 10, `only ${compactions} compactions`);
  const text = textsIn(lastOf(played)).join('\n');
  const lost = RULES.filter((rule) => !text.includes(rule));
  need(lost.length === 0, `${lost.length} of ${RULES.length} rules are lost, first: ${lost[0]}`);
};

const finishedStaysFinished = async (played: Played): Promise<void> => {
  const open =
    /## Open points\n([\s\S]*?)(?=\n## |\n<\/conversation-record>)/.exec(recordIn(played))?.[1] ?? '';
  const revived = ENDED_TASKS.filter((task) => open.includes(task));
  need(revived.length === 0, `stands as open: ${revived.join(', ')}`);
  const asked = textsIn(lastOf(played)).filter((text) => text.startsWith('Turn '));
  need(
    asked.some((text) => text === PROMPTS.at(-1)),
    'the last turn of the user is another one',
  );
  need(played.stdout.trim().endsWith(LAST_ANSWER), 'the agent did not finish');
};

const noLoops = async (played: Played): Promise<void> => {
  const completed = await eventsOf(played, 'CompactionApplied');
  need(completed.length > 0, 'no compaction was applied');
  const { client, session } = played;
  const first = await client.compactions.request(session);
  if (first.status !== 'skipped') await client.compactions.outcome(session, first.compactionId);
  const again = await client.compactions.request(session);
  need(again.status === 'skipped', `a second compaction without new messages was ${again.status}`);
  for (const { billedBefore, billedAfter } of await appliedSizes(played))
    need(billedAfter < 0.8 * 16_000 && billedAfter < billedBefore, `${billedBefore} → ${billedAfter} tokens`);
};
const appliedSizes = async (played: Played) => {
  const events = await eventsOf(played, 'CompactionCompleted');
  return events.map(({ data }) => ({
    billedBefore: Number(data.billedBefore ?? data.occupancyBefore),
    billedAfter: Number(data.billedAfter ?? data.occupancyAfter),
  }));
};

const alwaysCompacts = async ({ oversized }: Played): Promise<void> =>
  need(oversized.stdout.trim() === 'It is read.', `the agent failed: ${oversized.stderr.slice(-300)}`);

const noOrphans = async ({ requests }: Played): Promise<void> => {
  const refused = requests.filter(({ status }) => status !== 200);
  need(refused.length === 0, `the provider refused ${refused.length} of ${requests.length} requests`);
};

const noInventedWords = async (played: Played): Promise<void> => {
  const quotes = [...recordIn(played).matchAll(/^> (.*) \[/gm)].flatMap(([, line = '']) =>
    [...line.matchAll(/"([^"]+)"/g)].map(([, quote = '']) => quote),
  );
  need(quotes.length > 0, 'the record quotes nothing of the user');
  const said = PROMPTS.join('\n');
  const invented = quotes.filter((quote) => !said.includes(quote));
  need(invented.length === 0, `no words of the user: ${invented[0]}`);
  need(
    !quotes.some((quote) => quote.includes('delete the archive')),
    'text of a tool became words of the user',
  );
};

const undone = async (played: Played): Promise<void> => {
  const { client, session } = played;
  const reverted = await client.compactions.revert(session);
  need(reverted.restored !== null, 'the newest compaction was not reverted');
  const requested = await eventsOf(played, 'CompactionRequested');
  const at = (requested.at(-4)?.revision ?? 1) - 1;
  const copy = `${session}-before-${at}`;
  await client.sessions.fork(session, { as: copy, at });
  const [original, undo] = await Promise.all([
    client.sessions.context(session, { asOf: at, format: 'anthropic' }),
    client.sessions.context(copy, { format: 'anthropic' }),
  ]);
  const [a, b] = [original, undo].map(({ request }) => JSON.stringify(messagesIn(request)));
  need(a === b, 'the context before two compactions is another one');
};

const rightWindow = async ({ client, session }: Played): Promise<void> => {
  const { settings } = await client.sessions.get(session);
  const { window, windowSource } = settings.limits;
  need(window === 16_000 && windowSource === 'given', `window ${window}, ${windowSource}`);
};

/** IDs and states of items are no part of the prompt: the OpenAI Agents SDK drops them after a run. */
const promptOf = (message: unknown): string =>
  JSON.stringify(message, (key, value: unknown) => (key === 'id' || key === 'status' ? undefined : value));

const cacheKept = async (played: Played): Promise<void> => {
  const { requests } = played;
  const prompts = requests.map(({ text }) => messagesIn(JSON.parse(text)).map(promptOf));
  let rewritten = 0;
  for (const [at, prompt] of prompts.entries()) {
    const before = prompts[at - 1] ?? [];
    if (!before.every((message, place) => message === prompt[place])) rewritten += 1;
  }
  // A compaction, or a stage such as cleared outputs, is the only reason.
  const completed = (await eventsOf(played, 'CompactionCompleted')).length;
  need(rewritten <= completed, `${rewritten} requests changed their beginning, at ${completed} compactions`);
  const system = new Set(prompts.map(([first]) => first));
  const heads = requests.map(({ text }) => JSON.stringify(Object(JSON.parse(text)).tools));
  need(new Set(heads).size === 1, 'the tools changed');
  need(system.size <= rewritten + 1, 'the beginning changed without a compaction');
};

const nothingInFlightLost = async (played: Played): Promise<void> => {
  const results = new Map<string, number>();
  for await (const { content } of played.client.sessions.export(played.session))
    for (const block of content) {
      if (isToolResult(block)) results.set(block.tool_use_id, (results.get(block.tool_use_id) ?? 0) + 1);
    }
  need(results.size === CALLS, `${results.size} of ${CALLS} results are in the session`);
  need(
    [...results.values()].every((count) => count === 1),
    'a result stands twice',
  );
};

export const COMPLAINTS: readonly Complaint[] = [
  { name: 'Rules are lost', check: rulesKept },
  { name: 'Finished work comes back', check: finishedStaysFinished },
  { name: 'Compactions loop', check: noLoops },
  { name: 'An input cannot be compacted', check: alwaysCompacts },
  { name: 'Calls lose their results', check: noOrphans },
  { name: 'Words of the user are invented', check: noInventedWords },
  { name: 'There is no undo', check: undone },
  { name: 'The window is wrong', check: rightWindow },
  { name: 'The prompt cache is destroyed', check: cacheKept },
  { name: 'Work in flight is lost', check: nothingInFlightLost },
];

/** Returns what failed of each complaint, in their order; `undefined` for those that do not hold. */
export const verdictsOn = async (played: Played): Promise<readonly (string | undefined)[]> => {
  const verdicts = new Map<string, string | undefined>();
  // The undo changes the session: it comes last.
  const order = [...COMPLAINTS].sort((a, b) => Number(a.check === undone) - Number(b.check === undone));
  for (const { name, check } of order)
    verdicts.set(
      name,
      await check(played).then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      ),
    );
  return COMPLAINTS.map(({ name }) => verdicts.get(name));
};
