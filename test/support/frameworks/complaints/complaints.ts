import {
  type AnthropicMessage,
  type Block,
  type ContextView,
  isToolResult,
  isToolUse,
  type Message,
} from '@app/client';
import { inputTokensOf } from '@app/testing/providers';
import { headsIn, lastIn, rewrittenIn, textsIn } from './prompts.js';
import type { Played } from './run.js';
import { CALLS, ENDED_TASKS, LAST_ANSWER, OVERSIZED_ANSWERS, PROMPTS, RULES, WINDOW } from './scenario.js';

/** A complaint of users of compactors, and the check of a run against it; throws with the failure. */
export type Complaint = {
  readonly name: string;
  /** What must be seen instead, for `docs/complaints.md`. */
  readonly expected: string;
  readonly check: (played: Played) => Promise<void>;
};

const need = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new Error(otherwise);
};

const lastOf = ({ requests }: Played): unknown => lastIn(requests);
const recordIn = (played: Played): string =>
  textsIn(lastOf(played)).find((text) => text.startsWith('<conversation-record')) ?? '';
const eventsOf = async ({ client, session }: Pick<Played, 'client' | 'session'>, type: string) => {
  const found = [];
  for await (const event of client.sessions.events(session)) if (event.type === type) found.push(event);
  return found;
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
    need(
      billedAfter < 0.8 * played.window && billedAfter < billedBefore,
      `${billedBefore} → ${billedAfter} tokens`,
    );
};
const appliedSizes = async (played: Played) => {
  const events = await eventsOf(played, 'CompactionCompleted');
  return events.map(({ data }) => ({
    billedBefore: Number(data.billedBefore ?? data.occupancyBefore),
    billedAfter: Number(data.billedAfter ?? data.occupancyAfter),
  }));
};

const alwaysCompacts = async ({ oversized }: Played): Promise<void> => {
  const { stdout, stderr, requests } = oversized;
  need(stdout.trim() === OVERSIZED_ANSWERS.join('\n'), `the agent failed: ${stderr.slice(-300)}`);
  const refused = requests.filter(({ status }) => status !== 200);
  need(refused.length === 0, `the provider refused ${refused.length} of ${requests.length} requests`);
  const failed = await eventsOf(oversized, 'CompactionFailed');
  need(failed.length > 0, 'no compaction failed: the case shows nothing');
};

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
  const done = new Set((await eventsOf(played, 'CompactionCompleted')).map(({ data }) => data.compactionId));
  const requested = await eventsOf(played, 'CompactionRequested');
  const at = (requested.filter(({ data }) => done.has(data.compactionId)).at(-3)?.revision ?? 1) - 1;
  const bytes = async (name: string, asOf?: number) => {
    const options = { format: 'anthropic' as const, ...(asOf !== undefined && { asOf }) };
    return JSON.stringify(conversationIn((await client.sessions.context(name, options)).request));
  };
  const then = await bytes(session, at);
  const copy = `${session}-before-${at}`;
  await client.sessions.fork(session, { as: copy, at });
  need((await bytes(copy)) === then, 'a fork from before three compactions has another context');
  const { compactionId, status } = await client.compactions.request(copy);
  if (status !== 'skipped') await client.compactions.outcome(copy, compactionId);
  need((await bytes(copy)) !== then, 'the compaction changed nothing');
  await client.compactions.revert(copy);
  need((await bytes(copy)) === then, 'the context is another one after a revert');
};

const rightWindow = async (played: Played): Promise<void> => {
  const { client, session, requests, window: own } = played;
  const { settings } = await client.sessions.get(session);
  const { window, windowSource } = settings.limits;
  need(window === own && windowSource === 'given', `window ${window}, ${windowSource}`);
  const hits = await eventsOf(played, 'CompactionThresholdHit');
  const outside = hits.find(
    ({ data }) => !(Number(data.occupancy) >= 0.8 * own && Number(data.occupancy) < own),
  );
  need(hits.length > 0 && !outside, `a compaction began at ${outside?.data.occupancy} of ${own} tokens`);
  const largest = Math.max(...requests.map(inputTokensOf));
  need(largest > 0 && largest < own, `the largest request had ${largest} tokens`);
  // A switch of the model changes a window that was the model's, and none that was given.
  for (const source of ['given', 'model']) {
    const copy = `${session}-window-${source}`;
    const before = await client.sessions.open({
      ...{ session: copy, model: 'gpt-5.1' },
      ...(source === 'given' && { window: WINDOW }),
    });
    await client.sessions.changeSettings(copy, { model: 'claude-opus-4-6' });
    const { limits } = (await client.sessions.get(copy)).settings;
    const isRight = (limits.window === before.limits.window) === (source === 'given');
    need(
      isRight && limits.windowSource === source,
      `${limits.window}, ${limits.windowSource} after a switch`,
    );
  }
};

const cacheKept = async (played: Played): Promise<void> => {
  const rewritten = rewrittenIn(played.requests).length;
  // A compaction, or a stage such as cleared outputs, is the only reason.
  const completed = (await eventsOf(played, 'CompactionCompleted')).length;
  need(rewritten <= completed, `${rewritten} requests changed their beginning, at ${completed} compactions`);
  // Tools and instructions stand before the messages: they stay byte-identical across all compactions.
  const heads = headsIn(played.requests);
  need(heads === 1, `tools and instructions have ${heads} forms`);
};

const nothingInFlightLost = async (played: Played): Promise<void> => {
  const { client, session } = played;
  const results = await resultsIn(played, session);
  need(results.length === CALLS, `${results.length} of ${CALLS} results are in the session`);
  need(new Set(results).size === CALLS, 'a result stands twice');
  // A compaction during an open call, such as a question to the user; the result comes late, and twice.
  const copy = `${session}-in-flight`;
  await client.sessions.fork(session, { as: copy });
  const open = { type: 'tool_use', id: 'call_open', name: 'ask_user', input: { question: 'Which station?' } };
  const late = { type: 'tool_result', tool_use_id: 'call_open', content: 'The station at Newport.' };
  const said = (id: string, role: Message['role'], block: object): Message => ({
    id,
    role,
    content: [{ type: 'text', ...block }],
  });
  await client.sessions.append(copy, {
    messages: [said('asking', 'user', { text: 'Ask me.' }), said('open', 'assistant', open)],
  });
  const { compactionId, status } = await client.compactions.request(copy);
  if (status !== 'skipped') await client.compactions.outcome(copy, compactionId);
  need(
    (await blocksIn(played, copy)).filter((block) => isToolUse(block) && block.id === 'call_open').length ===
      1,
    'the open call is lost',
  );
  for (const _ of ['late', 'again'])
    await client.sessions.append(copy, { messages: [said('late', 'user', late)] });
  const answers = (await blocksIn(played, copy)).filter(
    (block) => isToolResult(block) && block.tool_use_id === 'call_open',
  );
  need(
    JSON.stringify(answers) === JSON.stringify([late]),
    `a late result stands there ${answers.length} times`,
  );
};

const resultsIn = async ({ client }: Played, session: string): Promise<readonly string[]> => {
  const results: string[] = [];
  for await (const { content } of client.sessions.export(session))
    results.push(...content.filter(isToolResult).map((block) => block.tool_use_id));
  return results;
};
/** The blocks of the next request of a session. */
const blocksIn = async ({ client }: Played, session: string): Promise<readonly Block[]> => {
  const { request } = await client.sessions.context(session, { format: 'anthropic' });
  return conversationIn(request).flatMap(({ content }) => content);
};
const conversationIn = (request: ContextView['request']): readonly AnthropicMessage[] =>
  Object(request).messages ?? [];

export const COMPLAINTS: readonly Complaint[] = [
  {
    name: 'Rules are lost',
    expected: 'after ten compactions, the last request has all 30 rules word for word',
    check: rulesKept,
  },
  {
    name: 'Finished work comes back',
    expected:
      'no cancelled or finished task stands under "Open points"; the last turn of the user is the real one',
    check: finishedStaysFinished,
  },
  {
    name: 'Compactions loop',
    expected: 'each ends below the trigger; one that cannot help is refused with a reason',
    check: noLoops,
  },
  {
    name: 'An input cannot be compacted',
    expected:
      'an input of twice the window and five turns get their answers while the summarizer is down, and the provider accepts every request',
    check: alwaysCompacts,
  },
  {
    name: 'Calls lose their results',
    expected: 'the provider accepts every request',
    check: noOrphans,
  },
  {
    name: 'Words of the user are invented',
    expected:
      "each quote is a part of the user's input; text that a tool result puts into the user's mouth is not among them",
    check: noInventedWords,
  },
  {
    name: 'There is no undo',
    expected:
      'a fork from before the last three compactions has a byte-identical context; so has one that was compacted and reverted',
    check: undone,
  },
  {
    name: 'The window is wrong',
    expected:
      "the session records the window and its source; compactions begin between 80 % of it and its end; no request exceeds it; after a switch of the model a given window stays, and the other is the new model's",
    check: rightWindow,
  },
  {
    name: 'The prompt cache is destroyed',
    expected:
      'requests begin like the one before, except after a compaction; tools and instructions are byte-identical in all',
    check: cacheKept,
  },
  {
    name: 'Work in flight is lost',
    expected:
      'each tool result stands in the session once, also of parallel calls; a call that is open during a compaction stays, and its late result, sent twice, stands there once',
    check: nothingInFlightLost,
  },
];

/** Returns the failure of each complaint, in their order; `undefined` for a complaint that does not hold. */
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
