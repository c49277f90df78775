import { isDeepStrictEqual } from 'node:util';
import {
  compose,
  manifestOf,
  type OpenSession,
  type Placed,
  rebuild,
  type SessionEvent,
  startsTurn,
  type WireFormat,
} from '@app/domain';
import { canonicalJson, isJsonObject, type JsonObject, Revision } from '@app/kernel';
import { type Carried, livelyScripts, play, tailOf } from '@app/testing';
import fc from 'fast-check';
import { anthropicFaults } from '../support/anthropic-rules.js';
import { forkOf, opened } from '../support/forking.js';
import { runsOf } from '../support/histories.js';
import { openAiFaults } from '../support/openai-rules.js';
import { SessionModel, wordsOf } from './session-model.js';

/** A thousand sequences find the faults that ten thousand found; `PALIMPSEST_SEQUENCES` and `PALIMPSEST_SEED` select others. */
const SEQUENCES = Number(process.env.PALIMPSEST_SEQUENCES ?? 1_000);
/** A full replay costs as much as the rest of a step. */
const CRASH_EVERY = 9;

/**
 * Guarantee: after any commands in any order a session agrees with a simple model after every step, and the
 * invariants of a context hold (numbered as in docs/rules.md, section 8).
 */
// Holds rules 1.17, 8.1, 8.2, 8.4, 8.5, 8.6, 8.7, 8.8, 8.9.
it(`agrees with its model after every step of ${SEQUENCES} sequences`, () => {
  fc.assert(
    fc.property(livelyScripts(), (script) => {
      const model = new SessionModel();
      const stream: Placed[] = [];
      let body: string | undefined;
      let last: OpenSession | undefined;
      const format: WireFormat = script.steps.length % 2 === 0 ? 'anthropic' : 'openai-chat';
      for (const [at, step] of play(script).carried.entries()) {
        for (const event of step.events) {
          stream.push({ event, revision: Revision(stream.length) });
          model.note(event);
        }
        if (step.after.status !== 'open' || step.events.length === 0) continue; // Nothing has changed.
        const now = bytesOf(step.after, format);
        agrees(step.after, model);
        if (body !== undefined && !step.events.some(changesContext)) same(contentIn(now), contentIn(body));
        else holdsItsInvariants(step.after, model, now, format);
        body = now;
        meetsItsTarget(step);
        if (at % CRASH_EVERY === 0) survivesCrash(step.after, stream, now, format);
        last = step.after;
      }
      if (last) forksTo(last, body, format);
    }),
    runsOf(SEQUENCES),
  );
});

/** Compares like `expect`, but a thousand times faster on success, for a million calls. */
const same = (value: unknown, wanted: unknown): void => {
  if (!Object.is(value, wanted)) expect(value).toBe(wanted);
};

const bytesOf = (session: OpenSession, format: WireFormat): string =>
  JSON.stringify(compose(manifestOf(session), format).request);
/** Returns a body without the output limit, which every count and bill refines. */
const contentIn = (bytes: string): string => bytes.replace(/"max_(?:completion_)?tokens":\d+,?/, '');
const bodyFrom = (bytes: string): JsonObject => {
  const body: unknown = JSON.parse(bytes);
  if (!isJsonObject(body)) throw new Error('a request is an object');
  return body;
};

/** Invariants 5, 8 and 9: current messages, first messages, compaction in flight, all appended messages. */
const agrees = (session: OpenSession, model: SessionModel): void => {
  same(session.entries.map(({ message }) => message.id).join(), model.context.join());
  same(session.leadingSystem.map(({ message }) => message.id).join(), model.head.map(({ id }) => id).join());
  same(session.pivot?.compactionId ?? null, model.pivot);
  same(session.pivot?.summary ?? null, model.summary);
  same(session.compaction?.compactionId, model.inFlight);
  same(session.compaction?.running ? 1 : 0, model.openAttempts);
  same(session.messages, model.said.length);
  same(
    session.pins.map(({ pinId, text }) => `${pinId} ${text}`).join(),
    [...model.pins].map(([id, text]) => `${id} ${text}`).join(),
  );
};

/** Invariants 1 to 5. */
const holdsItsInvariants = (
  session: OpenSession,
  model: SessionModel,
  bytes: string,
  format: WireFormat,
): void => {
  const body = bodyFrom(bytes);
  if (session.entries.some(({ message }) => message.blocks.length > 0)) {
    const faults = format === 'anthropic' ? anthropicFaults(body) : openAiFaults(body);
    same(faults.join(), '');
  }
  const holds = (text: string): boolean => bytes.includes(JSON.stringify(text).slice(1, -1));
  for (const text of model.pins.values()) same(holds(text.toWellFormed()), true);
  if (session.opened.systemPrompt) same(holds(session.opened.systemPrompt), true);
  const newest = session.entries.filter(({ turn }) => turn === session.turn);
  for (const { message } of newest.filter((entry) => startsTurn(entry.message))) {
    same(holds(wordsOf(message)), true);
  }
  same(bytes.split('<conversation-record compaction=').length - 1, model.summary === null ? 0 : 1);
  if (!bytes.includes('thinking"')) return;
  const thoughts = new Set(
    session.entries.flatMap(({ message }) => message.blocks.filter(isThought).map(canonicalJson)),
  );
  for (const block of blocksOf(body).filter(isThought)) same(thoughts.has(canonicalJson(block)), true);
};

/** Invariant 6. */
const meetsItsTarget = ({ events }: Carried): void => {
  const completed = events.find((event) => event.type === 'CompactionCompleted')?.data;
  const started = events.find((event) => event.type === 'CompactionStarted')?.data;
  if (!completed || !started) return;
  expect(completed.countedAfter).toBeLessThanOrEqual(completed.target);
};

/** Invariant 7: a replay from the newest compaction restores the state to the byte. */
const survivesCrash = (
  session: OpenSession,
  stream: readonly Placed[],
  body: string,
  format: WireFormat,
): void => {
  const again = rebuild(tailOf(stream));
  if (!isDeepStrictEqual(again, session)) expect(canonicalJson(again)).toBe(canonicalJson(session));
  if (again.status === 'open') same(bytesOf(again, format), body);
};

/** Checks that a fork continues with this session's content. */
const forksTo = (session: OpenSession, body: string | undefined, format: WireFormat): void => {
  const fork = opened(rebuild(tailOf(forkOf(session))));
  const request = bytesOf(fork, format);
  // The record of a fork without a compaction has no compaction id: only then do the ids differ.
  if (session.pivot || !fork.pivot?.summary) same(contentIn(request), contentIn(body ?? ''));
};

const CHANGES: ReadonlySet<SessionEvent['type']> = new Set([
  'MessageAppended',
  'ToolCallAbandoned',
  'CompactionCompleted',
  'CompactionReverted',
  'SessionReset',
  'SettingsChanged',
  'ModelSwitched',
  'ContentPinned',
  'ContentUnpinned',
  'ToolResultOffloaded',
  'ToolOutputsPruned',
  'ReasoningDropped',
  'SegmentCollapsed',
] satisfies SessionEvent['type'][]);
const changesContext = ({ type }: SessionEvent): boolean => CHANGES.has(type);

type Thing = { readonly type?: unknown; readonly content?: unknown };
const isThing = (value: unknown): value is Thing => typeof value === 'object' && value !== null;
const isThought = ({ type }: Thing): boolean => type === 'thinking' || type === 'redacted_thinking';
const blocksOf = ({ messages }: { readonly messages?: unknown }): Thing[] =>
  (Array.isArray(messages) ? messages.filter(isThing) : []).flatMap(({ content }) =>
    Array.isArray(content) ? content.filter(isThing) : [],
  );
