import {
  compose,
  descend,
  frameContribution,
  manifestOf,
  type OpenSession,
  occupancy,
  type Shortening,
  shortenManifest,
  startsTurn,
  textOf,
  type WireFormat,
} from '@app/domain';
import { isJsonObject, Tokens } from '@app/kernel';
import { downTo } from '@app/testing';
import { openAiResponsesFaults } from '../support/provider-rules/index.js';
import { anthropicFaults } from './support/anthropic-rules.js';
import { everyHistory, sessionsOf } from './support/histories.js';
import { openAiFaults } from './support/openai-rules.js';

const contribution = frameContribution({ name: 'todo', text: 'call back' });
const bodyOf = (session: OpenSession, shortening: Shortening | undefined, format: WireFormat) => {
  const whole = manifestOf(session, [contribution]);
  const { request, violations } = compose(
    shortening ? shortenManifest(whole, shortening, Tokens(100)) : whole,
    format,
  );
  expect(violations).toEqual([]);
  const body: unknown = JSON.parse(JSON.stringify(request));
  if (!isJsonObject(body)) throw new TypeError('a body is an object');
  return body;
};

/** Guarantee: after any history every rung of the ladder is smaller, and accepted by its provider. */
describe('request on the ladder', () => {
  const everyRung = (holds: (shortening: Shortening, session: OpenSession) => void): void =>
    everyHistory((history) => {
      for (const session of sessionsOf(history)) {
        for (const share of [0.9, 0.6, 0.3, 0]) {
          const shortening = descend(session, downTo(Math.floor(occupancy(session) * share)));
          if (shortening) holds(shortening, session);
        }
      }
    }, 60);

  // Holds rule 5.86.
  it('satisfies the rules of both providers, with a contribution too', () =>
    everyRung((shortening, session) => {
      expect(anthropicFaults(bodyOf(session, shortening, 'anthropic'))).toEqual([]);
      expect(openAiFaults(bodyOf(session, shortening, 'openai-chat'))).toEqual([]);
      expect(openAiResponsesFaults(bodyOf(session, shortening, 'openai-responses'))).toEqual([]);
    }));

  it('is smaller than the session, and fits unless it is on the last rung', () =>
    everyRung((shortening, session) => {
      expect(shortening.tokens).toBeLessThanOrEqual(occupancy(session));
      const budget = Math.floor(occupancy(session) * 0.6);
      const wanted = descend(session, downTo(budget));
      const least = descend(session, downTo(0));
      if (wanted && wanted.tokens > budget) expect(wanted.tokens).toBe(least?.tokens);
    }));

  it('contains the newest message, and the user text that it answers', () =>
    everyRung(({ messages }, { entries }) => {
      const ids = new Set(messages.map(({ id }) => id));
      const newest = entries.at(-1);
      const asked = entries.find(({ message, turn }) => turn === newest?.turn && startsTurn(message));
      expect(newest && ids.has(newest.message.id)).toBe(true);
      const same = messages.find(({ id }) => id === asked?.message.id);
      expect(same && textOf(same)).toBe(asked && textOf(asked.message));
    }));

  it('is deterministic, and leaves the session unchanged', () =>
    everyRung((shortening, session) => {
      const before = JSON.stringify(session);
      const budget = downTo(shortening.tokens);
      expect(JSON.stringify(descend(session, budget))).toBe(JSON.stringify(descend(session, budget)));
      expect(JSON.stringify(session)).toBe(before);
    }));
});

// Holds rule 2.22.
it('keeps the bytes before a contribution unchanged', () =>
  everyHistory((history) => {
    for (const session of sessionsOf(history)) {
      const blocks = (texts: readonly string[]): string[] =>
        compose(manifestOf(session, texts), 'anthropic').request.messages.flatMap(({ content }) =>
          [content].flat().map((block) => JSON.stringify(block)),
        );
      // A request that ends with text of the assistant has no white space at its end.
      const withoutEnd = (block = ''): string => block.replace(/(?:\s|\\[nrtf])+"(?=[,}])/g, '"');
      const [plain, carrying] = [blocks([]), blocks([contribution])];
      const hasOpenCalls = plain.at(-1)?.includes('"type":"tool_use"') ?? false;
      const saysNothing = plain.join().includes('[Nothing has been said yet.]');
      if (hasOpenCalls || saysNothing) continue; // Open calls are closed first, and empty messages are omitted.
      const last = plain.length - 1;
      expect(carrying.slice(0, last)).toEqual(plain.slice(0, last));
      expect(withoutEnd(carrying[last])).toBe(withoutEnd(plain[last]));
      expect(carrying).toHaveLength(plain.length + 1);
    }
  }, 60));
