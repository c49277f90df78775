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
import { canonicalJson, Revision } from '@app/kernel';
import { type Carried, play, scripts, tailOf } from '@app/testing';
import fc from 'fast-check';
import { anthropicFaults } from '../support/anthropic-rules.js';
import { runsOf } from '../support/histories.js';
import { openAiFaults } from '../support/openai-rules.js';
import { bodyOf } from '../support/reading.js';
import { SessionModel, wordsOf } from './session-model.js';

const SEQUENCES = 300;
/** Reading everything back costs as much as all the rest of a step. */
const CRASH_EVERY = 9;

/**
 * Guarantee: whatever is done to a session, in whatever order, it agrees with a simple model of it after every step,
 * and the invariants of a context hold (the numbers are those of docs/rules.md, section 8).
 */
it(`agrees with its model after every step of ${SEQUENCES} sequences`, () => {
  fc.assert(
    fc.property(scripts(4), (script) => {
      const model = new SessionModel();
      const stream: Placed[] = [];
      let body: string | undefined;
      for (const [at, step] of play(script).carried.entries()) {
        for (const event of step.events) {
          stream.push({ event, revision: Revision(stream.length) });
          model.note(event);
        }
        if (step.after.status !== 'open' || step.events.length === 0) continue; // Nothing is different.
        const format: WireFormat = at % 2 === 0 ? 'anthropic' : 'openai-chat';
        const now = JSON.stringify(compose(manifestOf(step.after), 'anthropic').request);
        agrees(step.after, model);
        holdsItsInvariants(step.after, model, format);
        if (body !== undefined && !step.events.some(changesContext)) expect(now).toBe(body);
        body = now;
        meetsItsTarget(step);
        if (at % CRASH_EVERY === 0) survivesCrash(step.after, stream, now);
      }
    }),
    runsOf(SEQUENCES),
  );
});

/** 5, 8, 9: what is there, what it begins with, what is under way, what was ever said. */
const agrees = (session: OpenSession, model: SessionModel): void => {
  expect(session.entries.map(({ message }) => message.id).join()).toBe(model.context.join());
  expect(session.leadingSystem.map(({ message }) => message.id).join()).toBe(
    model.head.map(({ id }) => id).join(),
  );
  expect(session.pivot?.compactionId ?? null).toBe(model.pivot);
  expect(session.pivot?.summary ?? null).toBe(model.summary);
  expect(session.compaction?.compactionId).toBe(model.inFlight);
  expect(session.compaction?.running ? 1 : 0).toBe(model.openAttempts);
  expect(session.messages).toBe(model.said.length);
  expect(session.pins.map(({ pinId, text }) => `${pinId} ${text}`).join()).toBe(
    [...model.pins].map(([id, text]) => `${id} ${text}`).join(),
  );
};

/** 1 to 5. */
const holdsItsInvariants = (session: OpenSession, model: SessionModel, format: WireFormat): void => {
  const body = bodyOf(session, format);
  if (session.entries.some(({ message }) => message.blocks.length > 0)) {
    expect(format === 'anthropic' ? anthropicFaults(body) : openAiFaults(body)).toEqual([]);
  }
  const bytes = JSON.stringify(body);
  const holds = (text: string): boolean => bytes.includes(JSON.stringify(text).slice(1, -1));
  for (const text of model.pins.values()) expect(holds(text)).toBe(true);
  if (session.opened.systemPrompt) expect(holds(session.opened.systemPrompt)).toBe(true);
  const newest = session.entries.filter(({ turn }) => turn === session.turn);
  for (const { message } of newest.filter((entry) => startsTurn(entry.message))) {
    expect(holds(wordsOf(message))).toBe(true);
  }
  expect(bytes.split('<conversation-record compaction=').length - 1).toBe(model.summary === null ? 0 : 1);
  const thoughts = new Set(
    session.entries.flatMap(({ message }) => message.blocks.filter(isThought).map(canonicalJson)),
  );
  for (const block of blocksOf(body).filter(isThought)) expect(thoughts.has(canonicalJson(block))).toBe(true);
};

/** 6. */
const meetsItsTarget = ({ events }: Carried): void => {
  const completed = events.find((event) => event.type === 'CompactionCompleted')?.data;
  const started = events.find((event) => event.type === 'CompactionStarted')?.data;
  if (!completed || !started) return;
  expect(completed.tokensAfter).toBeLessThanOrEqual(completed.target);
};

/** 7: what is read back from the newest compaction on is what was there, to the byte. */
const survivesCrash = (session: OpenSession, stream: readonly Placed[], body: string): void => {
  const again = rebuild(tailOf(stream));
  expect(canonicalJson(again)).toBe(canonicalJson(session));
  if (again.status === 'open')
    expect(JSON.stringify(compose(manifestOf(again), 'anthropic').request)).toBe(body);
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
