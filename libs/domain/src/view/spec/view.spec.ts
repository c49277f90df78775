import {
  compose,
  estimatedTokens,
  fixedTokens,
  type Message,
  manifestOf,
  type OpenSession,
  occupancy,
  type SessionCommand,
  shownSession,
  textBlock,
  withContributed,
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
  openOf,
  result,
  run,
  sessionOf,
  thinking,
  user,
} from '@app/testing';
import fc from 'fast-check';
import { CLEARED_RESULT_TEXT, SNIPPED_TEXT } from '../recall/recall-tool.js';
import { viewOf } from '../view.js';

const policy = {
  keepRecentTurns: 1,
  viewAtShare: 0.1,
  viewKeepShare: 0,
  microKeepResults: 4,
  snipKeepSteps: 4,
  snipKeepTurns: 2,
  exemptTools: [],
} as const;
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

describe('the micro stage', () => {
  const commands = [opening(['micro', 'summarize']), steps(10)];

  // Holds rule 1.18.
  it('clears the oldest results in the request, all but the newest, in batches', () => {
    expect(count(bodyOf(...commands), CLEARED_RESULT_TEXT)).toBe(6);
    expect(count(bodyOf(opening(['micro', 'summarize']), steps(11)), CLEARED_RESULT_TEXT)).toBe(6);
    expect(count(bodyOf(opening(['micro', 'summarize']), steps(12)), CLEARED_RESULT_TEXT)).toBe(8);
  });

  // Holds rule 2.11.
  it('records no event, and counts the saving', () => {
    const session = sessionOf(...commands);
    expect(eventsOf(...commands, checkBudget()).map(({ type }) => type)).toEqual(
      eventsOf(...commands).map(({ type }) => type),
    );
    // A result takes 102 tokens, the line in its place 32.
    const raw = fixedTokens(session) + session.entriesTokens;
    expect(raw - estimatedTokens(session)).toBe(6 * (102 - 32));
    expect(occupancy(session)).toBe(estimatedTokens(session));
  });

  it('skips exempt tools, short results and the newest messages', () => {
    const exempt = open({
      window: 8_000,
      profile: { ...policy, stages: ['micro', 'summarize'], exemptTools: ['skill'] },
    });
    expect(count(bodyOf(exempt, steps(10)), CLEARED_RESULT_TEXT)).toBe(5);
    expect(count(bodyOf(opening(['micro', 'summarize'], 1_000), steps(10, 40)), CLEARED_RESULT_TEXT)).toBe(0);
    // The last three steps and the two messages behind them take about 330 tokens.
    const tail = open({
      window: 8_000,
      profile: { ...policy, viewKeepShare: 0.0425, stages: ['micro', 'summarize'] },
    });
    const left = count(bodyOf(tail, steps(10)), CLEARED_RESULT_TEXT);
    expect(left).toBe(6);
    const longer = open({
      window: 8_000,
      profile: { ...policy, viewKeepShare: 0.09, stages: ['micro', 'summarize'] },
    });
    expect(count(bodyOf(longer, steps(10)), CLEARED_RESULT_TEXT)).toBeLessThan(left);
  });

  it('starts at its share of the window', () => {
    expect(count(bodyOf(opening(['micro', 'summarize'], 100_000), steps(10)), CLEARED_RESULT_TEXT)).toBe(0);
  });

  it('ignores pins and contributions in its threshold', () => {
    const cleared = (session: OpenSession): number => viewOf(session).cleared.length;
    const below = sessionOf(opening(['micro', 'summarize'], 100_000), steps(10));
    const above = sessionOf(opening(['micro', 'summarize']), steps(10));
    expect([cleared(below), cleared(above)]).toEqual([0, 6]);
    expect([below, above].map((session) => cleared(withContributed(session, Tokens(9_000))))).toEqual([0, 6]);
  });

  // Holds rule 2.10.
  it('is deterministic: a cleared result stays cleared', () => {
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

describe('the snip stage', () => {
  it('replaces the oldest steps by one line, and keeps user and assistant text', () => {
    const body = bodyOf(opening(['snip', 'summarize']), steps(10));
    expect(count(body, SNIPPED_TEXT)).toBe(1);
    expect(body).not.toContain('"c5"');
    expect(body).toContain('"c6"');
    expect(body).toContain('do all of it');
    expect(body).toContain('all of it is done');
  });

  // Holds rule 2.12.
  it('runs before micro, which gets the remaining messages', () => {
    const session = sessionOf(opening(['snip', 'micro', 'summarize']), steps(20));
    expect(manifestOf(session).edits).toEqual(['snip']);
    const both = open({
      window: 8_000,
      profile: { ...policy, snipKeepSteps: 12, stages: ['snip', 'micro', 'summarize'] },
    });
    expect(manifestOf(sessionOf(both, steps(20))).edits).toEqual(['snip', 'micro']);
  });

  it('keeps a step that waits for its result', () => {
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

  it('removes steps of the open turn too', () => {
    const body = bodyOf(opening(['snip', 'summarize']), midTurn(10));
    expect(count(body, SNIPPED_TEXT)).toBe(1);
    expect(body).toContain('do all of it');
    expect(body).not.toContain('"c5"');
    expect(body).toContain('"c6"');
  });

  it('keeps steps with a call of an exempt tool, regardless of case', () => {
    const exempt = open({
      window: 8_000,
      profile: { ...policy, stages: ['snip', 'summarize'], exemptTools: ['SKILL'] },
    });
    const body = bodyOf(exempt, midTurn(10));
    expect(body).toContain('"id":"c0"');
    expect(body).not.toContain('"id":"c1"');
  });

  it('removes old turns without calls, and keeps the newest', () => {
    const chat = Array.from({ length: 8 }, (_, at) => [
      user(`u${at}`, `question ${at} ${filler(400)}`),
      assistant(`a${at}`, `answer ${at} ${filler(400)}`),
    ]).flat();
    const body = bodyOf(opening(['snip', 'summarize']), append(...chat));
    expect(count(body, SNIPPED_TEXT)).toBe(1);
    for (let at = 0; at < 8; at += 1) {
      expect([at, body.includes(`question ${at} `), body.includes(`answer ${at} `)]).toEqual([
        at,
        at > 5,
        at > 5,
      ]);
    }
  });

  it('keeps turns around a call with a late result', () => {
    const late = [
      append(user('u1', 'start it'), assistant('w', call('w')), user('u2', 'go on'), assistant('x', 'well')),
      append(user('u3', filler(400)), assistant('y', filler(400)), user('u4', 'and'), assistant('z', 'so')),
    ];
    const sessions = [
      sessionOf(opening(['snip', 'summarize'], 100), ...late),
      sessionOf(opening(['snip', 'summarize'], 100), ...late, append(user('r', result('w', 'done')))),
    ];
    for (const session of sessions) expect(viewOf(session).snipped).toEqual([]);
  });
});

const midTurn = (count: number): SessionCommand =>
  append(
    user('u1', 'do all of it'),
    ...Array.from({ length: count }, (_, at) => [
      assistant(`a${at}`, call(`c${at}`, at === 0 ? 'skill' : 'read')),
      user(`r${at}`, result(`c${at}`, filler(400))),
    ]).flat(),
  );

/** Guarantee: an omitted message stays omitted until the next compaction, after any appends. */
describe('the view of a session', () => {
  const kinds = fc.constantFrom('ask', 'say', 'step', 'call', 'answer', 'system', 'think');
  const turnsAndSteps = fc.array(fc.tuple(kinds, fc.integer({ min: 1, max: 900 })), {
    minLength: 10,
    maxLength: 60,
  });
  const messageOf = ([kind, size]: [string, number], at: number, open: string[]): Message[] => {
    switch (kind) {
      case 'ask':
        return [user(`m${at}`, filler(size))];
      case 'say':
        return [assistant(`m${at}`, filler(size))];
      case 'think':
        return [{ ...assistant(`m${at}`, thinking(filler(size)), textBlock('so')), reasoning: 'disposable' }];
      case 'step':
        return [
          assistant(`m${at}`, call(`c${at}`, at % 5 === 0 ? 'Skill' : 'read')),
          user(`r${at}`, result(`c${at}`, filler(size))),
        ];
      case 'call':
        open.push(`c${at}`);
        return [assistant(`m${at}`, call(`c${at}`))];
      case 'answer': {
        const id = open.shift();
        return id === undefined ? [] : [user(`m${at}`, result(id, filler(size)))];
      }
      default:
        return [{ ...user(`m${at}`, 'note'), role: 'system' }];
    }
  };
  const omittedTokens = (session: OpenSession): string[] => {
    const { snipped, cleared, muted } = viewOf(session);
    const gone = snipped.flatMap(({ start, end }) =>
      session.entries.slice(start, end).map(({ message }) => `message ${message.id}`),
    );
    const isGone = (id: string) => gone.includes(`message ${id}`);
    return [
      ...gone,
      ...cleared.map(({ answer }) => `result in ${answer.message.id}`),
      ...muted.map(({ entry }) => `reasoning of ${entry.message.id}`),
    ].filter((one) => one.startsWith('message') || !isGone(one.split(' ').at(-1) ?? ''));
  };

  // Holds rule 2.10.
  it('only grows, and every request is valid for its provider', () => {
    let grown = 0;
    fc.assert(
      fc.property(turnsAndSteps, fc.constantFrom(0, 0.05, 0.1), (script, viewKeepShare) => {
        const commands: SessionCommand[] = [
          open({
            window: 8_000,
            profile: {
              ...policy,
              viewKeepShare,
              exemptTools: ['skill'],
              stages: ['snip', 'micro', 'summarize'],
            },
          }),
        ];
        const waiting: string[] = [];
        let past = run(commands);
        let before: string[] = [];
        for (const [at, step] of script.entries()) {
          const messages = messageOf(step, at, waiting);
          if (messages.length === 0) continue;
          past = run([append(...messages)], past);
          const session = openOf(past);
          const now = omittedTokens(session);
          const snippedNow = (one: string) => now.includes(`message ${one.split(' ').at(-1)}`);
          expect(before.filter((one) => !now.includes(one) && !snippedNow(one))).toEqual([]);
          expect(compose(manifestOf(session), 'anthropic').violations).toEqual([]);
          // The sent size equals the counted size.
          const { session: shown } = shownSession(session);
          expect(fixedTokens(session) + shown.entriesTokens).toBe(estimatedTokens(session));
          before = now;
        }
        grown += before.length;
      }),
      { numRuns: 150 },
    );
    expect(grown).toBeGreaterThan(0);
  });
});
