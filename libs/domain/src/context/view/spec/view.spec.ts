import {
  carrying,
  compose,
  estimatedTokens,
  manifestOf,
  type OpenSession,
  occupancy,
  type SessionCommand,
} from '@app/domain';
import { Tokens } from '@app/kernel';
import {
  append,
  assistant,
  call,
  checkBudget,
  eventsOf,
  filler,
  open,
  result,
  sessionOf,
  user,
} from '@app/testing';
import { CLEARED_RESULT_TEXT, SNIPPED_TEXT } from '../../recall/placeholders.js';
import { viewOf } from '../view.js';

const policy = { keepRecentTurns: 1, viewAt: 0.1, microKeepResults: 4, snipKeepSteps: 4 } as const;
const opening = (stages: ('snip' | 'micro' | 'summarize')[], window = 8_000) =>
  open({ window, profile: { ...policy, stages } });
const steps = (count: number, size = 400): SessionCommand =>
  append(
    user('u1', 'do all of it'),
    ...Array.from({ length: count }, (_, at) => [
      assistant(`a${at}`, call(`c${at}`, at === 0 ? 'skill' : 'read')),
      user(`r${at}`, result(`c${at}`, filler(size))),
    ]).flat(),
    assistant('done', 'all of it is done'),
    user('u2', 'thanks'),
  );
const bodyOf = (...commands: SessionCommand[]): string =>
  JSON.stringify(compose(manifestOf(sessionOf(...commands)), 'anthropic').request);
const count = (body: string, text: string): number =>
  body.split(JSON.stringify(text).slice(1, -1)).length - 1;

describe('micro', () => {
  const commands = [opening(['micro', 'summarize']), steps(10)];

  it('leaves the oldest results out of the request, all but the newest, in batches', () => {
    expect(count(bodyOf(...commands), CLEARED_RESULT_TEXT)).toBe(6);
    expect(count(bodyOf(opening(['micro', 'summarize']), steps(11)), CLEARED_RESULT_TEXT)).toBe(6);
    expect(count(bodyOf(opening(['micro', 'summarize']), steps(12)), CLEARED_RESULT_TEXT)).toBe(8);
  });

  it('records nothing, and counts what it saves', () => {
    const session = sessionOf(...commands);
    expect(eventsOf(...commands, checkBudget()).map(({ type }) => type)).toEqual(
      eventsOf(...commands).map(({ type }) => type),
    );
    // A result takes 102 tokens, the line in its place 32.
    expect(estimatedTokens(session) - occupancy(session)).toBe(6 * (102 - 32));
  });

  it('spares exempt tools, short results and the protected turns', () => {
    const exempt = open({
      window: 8_000,
      profile: { ...policy, stages: ['micro', 'summarize'], exemptTools: ['skill'] },
    });
    expect(count(bodyOf(exempt, steps(10)), CLEARED_RESULT_TEXT)).toBe(5);
    expect(count(bodyOf(opening(['micro', 'summarize'], 1_000), steps(10, 40)), CLEARED_RESULT_TEXT)).toBe(0);
    const protectedTurns = open({
      window: 8_000,
      profile: { ...policy, keepRecentTurns: 2, stages: ['micro', 'summarize'] },
    });
    expect(count(bodyOf(protectedTurns, steps(10)), CLEARED_RESULT_TEXT)).toBe(0);
  });

  it('begins when what is kept has come to its share of the window', () => {
    expect(count(bodyOf(opening(['micro', 'summarize'], 100_000), steps(10)), CLEARED_RESULT_TEXT)).toBe(0);
  });

  it('neither begins nor ends with what is pinned or added to one request', () => {
    const cleared = (session: OpenSession): number => viewOf(session).cleared.length;
    const below = sessionOf(opening(['micro', 'summarize'], 100_000), steps(10));
    const above = sessionOf(opening(['micro', 'summarize']), steps(10));
    expect([cleared(below), cleared(above)]).toEqual([0, 6]);
    expect([below, above].map((session) => cleared(carrying(session, Tokens(9_000))))).toEqual([0, 6]);
  });

  it('is a function of call and policy: what was left out once stays left out', () => {
    let before = new Set<string>();
    for (let size = 1; size <= 40; size += 1) {
      const body = compose(
        manifestOf(sessionOf(opening(['micro', 'summarize']), steps(size))),
        'anthropic',
      ).request;
      const gone = new Set(
        [...JSON.stringify(body).matchAll(/"tool_use_id":"(c\d+)","content":"\[This old result/g)].map(
          ([, id]) => String(id),
        ),
      );
      expect([...before].filter((id) => !gone.has(id))).toEqual([]);
      before = gone;
    }
    expect(before.size).toBe(36);
  });
});

describe('snip', () => {
  it('leaves the oldest steps out, with one line in their place, and what was said stays', () => {
    const body = bodyOf(opening(['snip', 'summarize']), steps(10));
    expect(count(body, SNIPPED_TEXT)).toBe(1);
    expect(body).not.toContain('"c5"');
    expect(body).toContain('"c6"');
    expect(body).toContain('do all of it');
    expect(body).toContain('all of it is done');
  });

  it('comes before micro, which is left what remains', () => {
    const session = sessionOf(opening(['snip', 'micro', 'summarize']), steps(20));
    expect(manifestOf(session).edits).toEqual(['snip']);
    const both = open({
      window: 8_000,
      profile: { ...policy, snipKeepSteps: 12, stages: ['snip', 'micro', 'summarize'] },
    });
    expect(manifestOf(sessionOf(both, steps(20))).edits).toEqual(['snip', 'micro']);
  });

  it('never takes a step that waits for its result', () => {
    const waiting = append(
      user('u1', 'go'),
      assistant('w', call('w')),
      user('u2', 'and?'),
      assistant('x', 'well'),
    );
    const body = bodyOf(
      opening(['snip', 'summarize'], 100),
      waiting,
      append(
        ...Array.from({ length: 6 }, (_, at) => [
          assistant(`a${at}`, call(`c${at}`)),
          user(`r${at}`, result(`c${at}`)),
        ]).flat(),
        user('u3', 'so?'),
      ),
    );
    expect(body).toContain('"id":"w"');
  });
});
