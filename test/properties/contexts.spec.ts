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

/** Guarantee: whatever has happened to a session, its context is one that its provider takes, and nothing in it is made up. */
describe('a composed context', () => {
  const everySession = (holds: (session: OpenSession) => void, runs = 80) =>
    everyHistory((history) => sessionsOf(history).forEach(holds), runs);

  // Holds rules 8.2, 8.4.
  it('is accepted by Anthropic’s rules', () =>
    everySession((session) => {
      const body = bodyOf(session, 'anthropic');
      if (messagesOf(body).length === 0) return; // A context of nothing at all is the one that no provider takes.
      expect(anthropicFaults(body)).toEqual([]);
      // Whose turn it is not is not sent.
      if (messagesOf(body).at(-1)?.role === 'user')
        expect(anthropicRefusal({ ...body, model: 'claude-opus-4-6' })).toBeUndefined();
      expect(compose(manifestOf(session), 'anthropic').violations).toEqual([]);
    }));

  // Holds rule 8.4.
  it('is accepted by OpenAI’s rules', () =>
    everySession((session) => {
      const body = bodyOf(session, 'openai-chat');
      if (messagesOf(body).every(({ role }) => role === 'system')) return;
      expect(openAiFaults(body)).toEqual([]);
      if (messagesOf(body).at(-1)?.role !== 'assistant')
        expect(openAiChatRefusal({ ...body, model: 'gpt-5.4' })).toBeUndefined();
      expect(compose(manifestOf(session), 'openai-chat').violations).toEqual([]);
    }));

  // Holds rule 11.16.
  it('is accepted by the rules of OpenAI’s Responses', () =>
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
  it('holds the system prompt and the system messages from the head as they were given', () =>
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
  it('holds no reasoning but what its provider wrote, unaltered, in its order and before the same words', () =>
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
  it('accounts for all reasoning that it leaves out', () =>
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
  it('holds no reasoning of another provider', () =>
    everySession((session) => {
      const { messages } = bodyOf(session, 'openai-chat');
      expect(JSON.stringify(messages)).not.toMatch(/"type":"(?:redacted_)?thinking"|signature of m\d/);
    }));

  // Holds rules 1.16, 8.5.
  it('renders the newest compaction alone, and nothing from before its cut', () =>
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
  it('holds every word of what is retained, in its order, but for what a stage leaves out of older steps and turns', () =>
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
        expect(isSubsequence(said.map(canonicalJson), sent.map(canonicalJson))).toBe(true);
      }
    }));

  it('holds what every retained tool call came to, answered or not, unless a stage left it out', () =>
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
  it('is left as it was by whatever neither adds a message nor completes a compaction', () =>
    everyHistory(({ carried }) => {
      for (const { before, events, after } of carried) {
        const changes = [
          ...['SessionOpened', 'MessageAppended', 'ToolCallAbandoned', 'CompactionCompleted'],
          ...['CompactionReverted', 'SessionReset', 'ModelSwitched', 'ContentPinned', 'ContentUnpinned'],
          ...['ToolResultOffloaded', 'ToolOutputsPruned', 'ReasoningDropped', 'SegmentCollapsed'],
          'SettingsChanged', // Of what a stage leaves out.
        ];
        if (
          before.status !== 'open' ||
          after.status !== 'open' ||
          events.some(({ type }) => changes.includes(type))
        )
          continue;
        // A bill, a count and what a request carries besides tell how much room there is for the answer.
        const isMeasured = events.some(({ type }) => MEASURES.includes(type));
        const now = { ...bodyOf(after, 'anthropic'), ...(isMeasured && { max_tokens: maxOutputOf(before) }) };
        expect(JSON.stringify(now)).toBe(JSON.stringify(bodyOf(before, 'anthropic')));
        if (isMeasured) expect(bodyOf(after, 'anthropic').max_tokens).toBe(maxOutputOf(after));
      }
    }, 150));
});

describe('a completed compaction', () => {
  // Holds rules 2.5, 8.1.
  it('keeps the protected turns, or fewer only where they alone exceed the target', () =>
    everyCompaction(({ started, completed, atStart, before, after }) => {
      const profile = before.compaction?.profile ?? before.profile;
      if (profile.keepBy !== 'turns') return;
      const kept = new Set(after.entries.map(({ message }) => message.id));
      const isProtected = ({ turn }: { turn: number }) => turn > started.turn - profile.keepRecentTurns;
      if (before.entries.filter(isProtected).every(({ message }) => kept.has(message.id))) return;
      expect(profile.protection).toBe('yields');
      // A group is kept whole, and with the message that began its turn: what counts is what these take as well.
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
  it('parts no call from its result, and covers no call that still waits for one', () =>
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
        // The user's message that began a split turn stays by itself, results in it included.
        const isCarried = answer?.id === completed.opening.carried?.message.id;
        if (!answer || !isCarried) expect(kept.has(caller)).toBe(!answer || kept.has(answer));
      }
    }));

  it('carries every retained message over, block for block', () =>
    everyCompaction(({ before, after }) => {
      const known = new Map(before.entries.map((entry) => [entry.message.id, entry]));
      for (const entry of after.entries) expect(entry).toEqual(known.get(entry.message.id));
      const [newest, same] = [before.entries.at(-1), after.entries.at(-1)];
      expect(same).toEqual(newest);
    }));

  // Holds rule 1.15.
  it('parts the messages in two at its cut, but for the message that began a split turn', () =>
    everyCompaction(({ completed, before, after }) => {
      const cut = before.entries.findIndex(({ message }) => message.id === completed.cut?.messageId);
      const carried = completed.opening.carried ? [completed.opening.carried] : [];
      const tail = before.entries.slice(cut);
      expect(after.entries).toEqual([...carried, ...tail]);
      expect(before.entries.length - after.entries.length).toBe(completed.covered?.messages ?? 0);
      for (const { message } of carried) expect(message.role).toBe('user');
    }));
});

/** Events by which only the size of the next request is known better. */
const MEASURES: readonly SessionEvent['type'][] = [
  'UsageReported',
  'RequestCounted',
  'RequestComposed',
  'RequestRefused',
  'ContextOverflowed',
];

/**
 * Messages that `snip` may leave out: steps of calls and results in which only tools were spoken to, before the newest
 * `snipKeepSteps`, and whole turns before the newest `snipKeepTurns` in which no tool was called.
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

const isVoiced = (block: JsonObject): boolean =>
  block.type === 'text' && typeof block.text === 'string' && block.text.trim() !== '';
