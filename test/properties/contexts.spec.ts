import {
  atomicGroups,
  compose,
  fixedTokens,
  isToolResult,
  type Message,
  manifestOf,
  maxOutputOf,
  type OpenSession,
  pairToolCalls,
  resultText,
  type SessionEvent,
  startsTurn,
  targetTokens,
  textOf,
  toolCallsOf,
  WIRE_FORMATS,
} from '@app/domain';
import { canonicalJson, isJsonObject, type JsonObject } from '@app/kernel';
import { anthropicRefusal, openAiChatRefusal, openAiResponsesRefusal } from '@app/testing/providers';
import { openAiResponsesFaults } from '../support/provider-rules/index.js';
import { anthropicFaults } from './support/anthropic-rules.js';
import { everyCompaction, everyHistory, sessionsOf } from './support/histories.js';
import { openAiFaults } from './support/openai-rules.js';
import { bodyOf, isSubsequence, isThought, sentIn, traced } from './support/reading.js';

/** Guarantee: after any history a session's context is accepted by its provider, and contains nothing invented. */
describe('composed context', () => {
  const everySession = (holds: (session: OpenSession) => void, runs = 80) =>
    everyHistory((history) => sessionsOf(history).forEach(holds), runs);

  // Holds rules 8.2, 8.4.
  it('satisfies Anthropic’s rules', () =>
    everySession((session) => {
      const body = bodyOf(session, 'anthropic');
      if (messagesOf(body).length === 0) return; // No provider accepts an empty context.
      expect(anthropicFaults(body)).toEqual([]);
      // A context that ends with the assistant's turn is not sent.
      if (messagesOf(body).at(-1)?.role === 'user')
        expect(anthropicRefusal({ ...body, model: 'claude-opus-4-6' })).toBeUndefined();
      expect(compose(manifestOf(session), 'anthropic').violations).toEqual([]);
    }));

  // Holds rule 8.4.
  it('satisfies OpenAI’s rules', () =>
    everySession((session) => {
      const body = bodyOf(session, 'openai-chat');
      if (messagesOf(body).every(({ role }) => role === 'system')) return;
      expect(openAiFaults(body)).toEqual([]);
      if (messagesOf(body).at(-1)?.role !== 'assistant')
        expect(openAiChatRefusal({ ...body, model: 'gpt-5.4' })).toBeUndefined();
      expect(compose(manifestOf(session), 'openai-chat').violations).toEqual([]);
    }));

  // Holds rule 11.16.
  it('satisfies the rules of OpenAI’s Responses API', () =>
    everySession((session) => {
      const body = bodyOf(session, 'openai-responses');
      const input = Array.isArray(body.input) ? body.input.filter(isJsonObject) : [];
      if (input.every(({ role }) => role === 'developer')) return;
      expect(openAiResponsesFaults(body)).toEqual([]);
      if (input.at(-1)?.role === 'user')
        expect(openAiResponsesRefusal({ ...body, model: 'gpt-5.4' })).toBeUndefined();
      expect(compose(manifestOf(session), 'openai-responses').violations).toEqual([]);
    }));

  // Holds rules 2.1, 8.1.
  it('contains the system prompt and the initial system messages unchanged', () =>
    everySession((session) => {
      const given = [
        session.opened.systemPrompt,
        ...session.leadingSystem.map(({ message }) => textOf(message)),
      ];
      const expected = given.filter((text) => text.trim() !== '');
      const { system } = bodyOf(session, 'anthropic');
      const texts = Array.isArray(system)
        ? system.filter(isJsonObject).map(({ text }) => text)
        : [system ?? []].flat();
      expect(texts).toEqual(expected);
      const openAi = messagesOf(bodyOf(session, 'openai-chat')).slice(0, expected.length);
      expect(openAi).toEqual(expected.map((content) => ({ role: 'system', content })));
    }));

  // Holds rule 8.3.
  it('contains only its provider’s reasoning, unaltered, in order and before the same text', () =>
    everySession((session) => {
      const written = session.entries.flatMap(({ message }) =>
        message.role === 'assistant' ? message.blocks : [],
      );
      const spoken = new Set(written.filter(isVoiced).map(canonicalJson));
      const sent = sentIn(bodyOf(session, 'anthropic'))
        .filter(({ role }) => role === 'assistant')
        .flatMap(({ blocks }) => blocks)
        .filter((block) => isThought(block) || spoken.has(canonicalJson(block)));
      expect(isSubsequence(sent.map(canonicalJson), written.map(canonicalJson))).toBe(true);
    }));

  // Holds rule 3.6.
  it('accounts for all omitted reasoning', () =>
    everySession((session) => {
      const manifest = manifestOf(session);
      const { notes } = compose(manifest, 'anthropic');
      const written = manifest.messages.flatMap(({ blocks }) => blocks.filter(isThought));
      const sent = sentIn(bodyOf(session, 'anthropic')).flatMap(({ blocks }) => blocks.filter(isThought));
      expect(notes.filter(({ action }) => action === 'omitted-reasoning')).toHaveLength(
        written.length - sent.length,
      );
    }));

  // Holds rule 3.8.
  it('contains no reasoning of another provider', () =>
    everySession((session) => {
      const { messages } = bodyOf(session, 'openai-chat');
      expect(JSON.stringify(messages)).not.toMatch(/"type":"(?:redacted_)?thinking"|signature of m\d/);
    }));

  // Holds rules 1.16, 8.5.
  it('renders the newest summary only, and nothing before its cut', () =>
    everySession((session) => {
      const record = session.pivot?.summary == null ? [] : [session.pivot.compactionId];
      const kept = new Set(
        [...session.entries, ...session.leadingSystem].map(({ message }) => String(message.id)),
      );
      for (const format of WIRE_FORMATS) {
        const bytes = JSON.stringify(bodyOf(session, format));
        expect(
          [...bytes.matchAll(/<conversation-record compaction=\\"([^"\\]+)\\"/g)].map(([, id]) => id),
        ).toEqual(record);
        expect([...traced(bytes)].filter((id) => !kept.has(id))).toEqual([]);
      }
    }));

  // Holds rule 1.17.
  it('contains every word of the retained messages in order, except for omissions by stages in older steps and turns', () =>
    everySession((session) => {
      const { edits } = manifestOf(session);
      const whole = edits.includes('collapse') ? 1 : Infinity;
      const mayBeSnipped = edits.includes('snip') ? snippable(session) : new Set<Message>();
      for (const role of ['user', 'assistant'] as const) {
        const said = session.entries.flatMap(({ message, turn }) =>
          message.role === role && turn > session.turn - whole && !mayBeSnipped.has(message)
            ? message.blocks.filter(isVoiced)
            : [],
        );
        const sent = sentIn(bodyOf(session, 'anthropic')).flatMap((one) =>
          one.role === role ? one.blocks : [],
        );
        // The end of a request that ends with text of the assistant has no white space.
        expect(isSubsequence(said.map(wordsOf), sent.map(wordsOf))).toBe(true);
      }
    }));

  it('contains the result of every retained tool call, answered or abandoned, unless a stage omitted it', () =>
    everySession((session) => {
      if (manifestOf(session).edits.length > 0) return;
      const results = session.entries.flatMap(({ message }) =>
        message.role === 'user' ? message.blocks.filter(isToolResult) : [],
      );
      for (const format of WIRE_FORMATS) {
        const bytes = JSON.stringify(bodyOf(session, format));
        const lost = results.filter(
          (result) => !bytes.includes(JSON.stringify(resultText(result).trim()).slice(1, -1)),
        );
        expect(lost).toEqual([]);
      }
    }));

  // Holds rules 1.21, 8.8.
  it('is unchanged by events that neither add messages nor complete compactions', () =>
    everyHistory(({ carried }) => {
      for (const { before, events, after } of carried) {
        const changes = [
          ...['SessionOpened', 'MessageAppended', 'ToolCallAbandoned', 'CompactionCompleted'],
          ...['CompactionReverted', 'SessionReset', 'ModelSwitched', 'ContentPinned', 'ContentUnpinned'],
          ...['ToolResultOffloaded', 'ToolOutputsPruned', 'ReasoningDropped', 'SegmentCollapsed'],
          'SettingsChanged', // Changes what a stage omits.
        ];
        if (
          before.status !== 'open' ||
          after.status !== 'open' ||
          events.some(({ type }) => changes.includes(type))
        )
          continue;
        // Bills, counts and overhead determine the room for the output.
        const isMeasured = events.some(({ type }) => MEASURES.includes(type));
        const now = { ...bodyOf(after, 'anthropic'), ...(isMeasured && { max_tokens: maxOutputOf(before) }) };
        expect(JSON.stringify(now)).toBe(JSON.stringify(bodyOf(before, 'anthropic')));
        if (isMeasured) expect(bodyOf(after, 'anthropic').max_tokens).toBe(maxOutputOf(after));
      }
    }, 150));
});

describe('completed compaction', () => {
  // Holds rules 2.5, 8.1.
  it('retains the protected turns, or fewer only if they alone exceed the target', () =>
    everyCompaction(({ started, completed, atStart, before, after }) => {
      const profile = before.compaction?.profile ?? before.profile;
      if (profile.keepBy !== 'turns') return;
      const kept = new Set(after.entries.map(({ message }) => message.id));
      const isProtected = ({ turn }: { turn: number }) => turn > started.turn - profile.keepRecentTurns;
      if (before.entries.filter(isProtected).every(({ message }) => kept.has(message.id))) return;
      expect(profile.protection).toBe('yields');
      // A group is retained whole, with the first message of its turn: their tokens count as well.
      const first = atStart.entries.findIndex(isProtected);
      const groups = atomicGroups(atStart.entries.map(({ message }) => message));
      const from = groups.find(({ end }) => end > first)?.start ?? first;
      const asked = atStart.entries.find(
        ({ turn, message }) => turn === atStart.entries[from]?.turn && startsTurn(message),
      );
      const held = new Set([...(asked ? [asked] : []), ...atStart.entries.slice(from)]);
      const most = [...held].reduce((sum, { tokens }) => sum + tokens, 0);
      const policyTarget = targetTokens(atStart.limits, profile) ?? Number.POSITIVE_INFINITY;
      expect(most + fixedTokens(atStart) + atStart.limits.window * profile.maxSummaryShare).toBeGreaterThan(
        policyTarget,
      );
      expect(completed.retention.some(({ rule }) => rule !== 'verbatim')).toBe(true);
    }));

  // Holds rule 8.2.
  it('separates no call from its result, and covers no unanswered call', () =>
    everyCompaction(({ completed, atStart, after }) => {
      const kept = new Set(after.entries.map(({ message }) => message));
      const messages = atStart.entries.map(({ message }) => message);
      const isAbandoned = (message: Message, callId: string) =>
        atStart.abandonedCalls.some((one) => one.messageId === message.id && one.callId === callId);
      const at = (place: number) => messages[place];
      for (const { id, call, result } of pairToolCalls(messages, isAbandoned).calls) {
        const caller = at(call.message);
        const answer = result && at(result.message);
        if (!caller || (!answer && isAbandoned(caller, id))) continue;
        // The user message of a split turn is retained separately, including results in it.
        const isCarried = answer?.id === completed.opening.carried?.message.id;
        if (!answer || !isCarried) expect(kept.has(caller)).toBe(!answer || kept.has(answer));
      }
    }));

  it('retains every message of its tail, block for block', () =>
    everyCompaction(({ before, after }) => {
      const known = new Map(before.entries.map((entry) => [entry.message.id, entry]));
      for (const entry of after.entries) expect(entry).toEqual(known.get(entry.message.id));
      const [newest, same] = [before.entries.at(-1), after.entries.at(-1)];
      expect(same).toEqual(newest);
    }));

  // Holds rule 1.15.
  it('divides the messages at its cut, except for the first message of a split turn', () =>
    everyCompaction(({ completed, before, after }) => {
      const cut = before.entries.findIndex(({ message }) => message.id === completed.cut?.messageId);
      const carried = completed.opening.carried ? [completed.opening.carried] : [];
      const tail = before.entries.slice(cut);
      expect(after.entries).toEqual([...carried, ...tail]);
      expect(before.entries.length - after.entries.length).toBe(completed.covered?.messages ?? 0);
      for (const { message } of carried) expect(message.role).toBe('user');
    }));
});

/** Events that only refine the size of the next request. */
const MEASURES: readonly SessionEvent['type'][] = [
  'UsageReported',
  'RequestCounted',
  'RequestComposed',
  'RequestRefused',
  'ContextOverflowed',
];

/**
 * Returns the messages that `snip` may omit: steps of calls and results without text before the newest
 * `snipKeepSteps`, and whole turns without calls before the newest `snipKeepTurns`.
 */
const snippable = ({ entries, profile, abandonedCalls, turn: newest }: OpenSession): Set<Message> => {
  const messages = entries.map(({ message }) => message);
  const pairing = pairToolCalls(messages, ({ id }, callId) =>
    abandonedCalls.some((one) => one.messageId === id && one.callId === callId),
  );
  const calling = entries.filter(({ message }) => toolCallsOf(message).length > 0);
  const kept = profile.snipKeepSteps === 0 ? undefined : calling.at(-profile.snipKeepSteps);
  const stepsBefore = kept ? entries.indexOf(kept) : entries.length;
  const inSteps = atomicGroups(messages, pairing)
    .filter(({ end }) => end <= stepsBefore)
    .map(({ start, end }) => messages.slice(start, end))
    .filter((step) => step.some((one) => toolCallsOf(one).length > 0) && !step.some(startsTurn));
  const withTools = new Set(
    entries.flatMap(({ message, turn }) =>
      toolCallsOf(message).length > 0 || message.blocks.some(isToolResult) ? [turn] : [],
    ),
  );
  const inTurns = entries
    .filter(({ turn }) => turn <= newest - profile.snipKeepTurns && !withTools.has(turn))
    .map(({ message }) => message);
  return new Set([...inSteps.flat(), ...inTurns]);
};

const messagesOf = (body: JsonObject): JsonObject[] =>
  Array.isArray(body.messages) ? body.messages.filter(isJsonObject) : [];

/** Returns a block as text, without white space at its end. */
const wordsOf = (block: JsonObject): string =>
  canonicalJson(typeof block.text === 'string' ? { ...block, text: block.text.trimEnd() } : block);

const isVoiced = (block: JsonObject): boolean =>
  block.type === 'text' && typeof block.text === 'string' && block.text.trim() !== '';
