import type { JsonObject } from '@app/kernel';
import { invalid } from '../failures/refusal.js';
import { blocksOf } from '../prompt/segments.js';
import type { Refusals } from './refusals.js';

/** Consecutive messages of one role, which the provider joins. System messages do not separate them. */
export type Turn = {
  readonly role: string;
  /** The index of its first message. */
  readonly at: number;
  readonly blocks: readonly JsonObject[];
};

export const joined = (messages: readonly JsonObject[]): readonly Turn[] => {
  const turns: Turn[] = [];
  for (const [at, { role, content }] of messages.entries()) {
    if (role === 'system') continue;
    const last = turns.at(-1);
    const blocks = blocksOf(content);
    if (last && last.role === role)
      turns[turns.length - 1] = { ...last, blocks: [...last.blocks, ...blocks] };
    else turns.push({ role: String(role), at, blocks });
  }
  return turns;
};

/** Every call is answered at once, exactly once, and before other content; there are no other results. */
export function* toolRefusals(turns: readonly Turn[]): Refusals {
  const seen = new Set<string>();
  for (const [index, turn] of turns.entries()) {
    const calls = callsIn(turn);
    for (const id of calls) {
      if (seen.has(id)) yield invalid('messages: `tool_use` ids must be unique');
      seen.add(id);
    }
    yield* answerRefusals(turn, calls, turns[index + 1], turns[index - 1]);
  }
}

function* answerRefusals(
  turn: Turn,
  calls: readonly string[],
  next: Turn | undefined,
  previous: Turn | undefined,
): Refusals {
  const due = previous ? callsIn(previous) : [];
  const results = turn.blocks.flatMap(({ type, tool_use_id }, at) =>
    type === 'tool_result' ? [{ at, id: String(tool_use_id) }] : [],
  );
  for (const { at, id } of results) {
    if (!due.includes(id))
      yield invalid(
        `messages.${turn.at}.content.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      );
    if (results.filter((other) => other.id === id).length > 1)
      yield invalid(
        `messages.${turn.at}.content.${at}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
      );
  }
  if (!next) return; // Other rules cover the end of the conversation.
  const first = next.blocks.findIndex(({ type }) => type !== 'tool_result');
  const answered = (first < 0 ? next.blocks : next.blocks.slice(0, first)).map(
    ({ tool_use_id }) => tool_use_id,
  );
  const missing = calls.filter((id) => !answered.includes(id));
  if (missing.length > 0) yield unanswered(turn.at, missing);
}

export const unanswered = (at: number, ids: readonly string[]) =>
  invalid(
    `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  );

export const callsIn = ({ role, blocks }: Turn): readonly string[] =>
  role === 'assistant' ? blocks.flatMap(({ type, id }) => (type === 'tool_use' ? [String(id)] : [])) : [];
