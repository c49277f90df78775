import type { Message, OpenSession, Plan } from '@app/domain';
import { prepare } from '@app/domain';
import { CompactionId } from '@app/kernel';
import {
  append,
  assistant,
  call,
  compactable,
  complete,
  filler,
  goodSummary,
  open,
  quarterCounter,
  request,
  result,
  sessionOf,
  start,
  thinking,
  turns,
  user,
} from '@app/testing';
import { summaryRequest, summaryTask } from '../summary-request.js';

const planOf = (session: OpenSession): Plan => {
  const plan = prepare(session);
  if (plan.kind === 'none') throw new Error(`no plan: ${JSON.stringify(plan.reason)}`);
  return plan;
};
const requestFor = (
  session: OpenSession,
  instructions?: string,
  attempt = 1,
  contextLines: readonly string[] = [],
) =>
  summaryRequest(
    summaryTask(
      { compactionId: CompactionId('c1'), plan: planOf(session), attempt, instructions, contextLines },
      quarterCounter,
    ),
  );
const idsOf = (messages: readonly Message[]): readonly string[] => messages.map(({ id }) => id);

const worked = (): OpenSession =>
  sessionOf(
    open({ profile: { keepRecentTurns: 1 } }),
    append(
      user('u0', 'go'),
      assistant(
        'a0',
        thinking('it is the lock that blocks', 'sig'),
        call('c0', 'edit', { path: '/src/lock.ts' }),
      ),
      user('r0', result('c0', filler(400))),
      ...turns(5),
    ),
  );

describe('the input of a summarizer', () => {
  // Holds rule 5.46.
  it('contains the covered messages in full and the retained ones apart, without tools or roles', () => {
    const asked = requestFor(worked());
    expect(Object.keys(asked).sort()).toEqual([
      'compactionId',
      'fileOperations',
      'messages',
      'retained',
      'sizeMax',
      'splitPrefix',
      'toolOutputs',
    ]);
    expect(idsOf(asked.messages).slice(0, 4)).toEqual(['u0', 'a0', 'r0', 'u1']);
    expect(idsOf(asked.retained)).toEqual(['u5', 'a5']);
  });

  // Holds rule 3.2.
  it('contains covered reasoning as plain text', () => {
    const [, answer] = requestFor(worked()).messages;
    expect(answer?.blocks[0]).toEqual(thinking('it is the lock that blocks', 'sig'));
  });

  it('contains the files that tool calls changed', () =>
    expect(JSON.stringify(requestFor(worked()).fileOperations)).toContain('/src/lock.ts'));

  // Holds rule 5.47.
  it('contains the instructions of the caller and the previous summary', () => {
    const again = sessionOf(
      ...compactable(),
      request(),
      start(),
      complete('c1', { summary: { text: goodSummary('the first part') } }),
      append(...turns(5, 150, 6)),
    );
    const asked = requestFor(again, 'keep the numbers');
    expect(asked.instructions).toBe('keep the numbers');
    expect(asked.previousSummary).toContain('the first part');
    expect(idsOf(asked.messages)[0]).toBe('u5');
  });

  it('contains the lines of hooks', () =>
    expect(requestFor(worked(), undefined, 1, ['the API is frozen'])).toMatchObject({
      contextLines: ['the API is frozen'],
    }));

  // Holds rule 5.73.
  it('has a smaller budget with every attempt', () => {
    const sizes = [1, 2, 3].map((attempt) => requestFor(worked(), undefined, attempt).sizeMax);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(new Set(sizes).size).toBe(3);
  });
});
