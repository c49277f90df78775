import {
  AppendMessages,
  CompleteTurn,
  OpenSession,
  RequestCompaction,
  type SessionRef,
  streamOf,
} from '@app/application';
import type { RequestedCompaction } from '@app/contract';
import type { SessionEvent } from '@app/domain';
import { Actor, SessionId, TenantId } from '@app/kernel';
import type { EventLog } from '@app/ports';
import { textMessage } from '../sessions/session-events.js';
import type { Application } from './open-application.js';

export const caller = { actor: Actor('tester') };
export const sessionRef = (session = 'some'): SessionRef => ({
  tenant: TenantId('acme'),
  session: SessionId(session),
});

export const openSession = (
  { commands }: Application,
  ref: SessionRef,
  { window = 10_000, profile = 'core' } = {},
): Promise<unknown> => {
  const input = { model: 'unknown', profile, window, systemPrompt: 'Be brief.', tools: [], labels: {} };
  return commands.execute(new OpenSession(ref, input, caller));
};

/** Plays turns `from` up to, but excluding, `to`: a question of 100 tokens and an answer of 300 each. */
export const playTurns = async (
  { commands }: Application,
  ref: SessionRef,
  from: number,
  to: number,
): Promise<void> => {
  for (let turn = from; turn < to; turn += 1) {
    const messages = [
      textMessage(`q${turn}`, `question ${turn} `.padEnd(400, 'q')),
      textMessage(`a${turn}`, `answer ${turn} `.padEnd(1_200, 'a'), 'assistant'),
    ];
    await commands.execute(new AppendMessages(ref, messages, caller));
    await commands.execute(new CompleteTurn(ref, 'end_turn', caller));
  }
};

export const requestCompaction = ({ commands }: Application, ref: SessionRef): Promise<RequestedCompaction> =>
  commands.execute(new RequestCompaction(ref, { trigger: 'explicit' }, caller));

/** Returns all events of a session in order. */
export const recordedEvents = async (log: EventLog, ref: SessionRef): Promise<SessionEvent[]> => {
  const events: SessionEvent[] = [];
  for await (const { event } of log.readForwards(streamOf(ref))) events.push(event);
  return events;
};
