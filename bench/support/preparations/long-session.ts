import { countMessage } from '@app/application';
import {
  type Block,
  decide,
  fold,
  initialState,
  type Message,
  type OpenSession,
  profileNamed,
  type Role,
  type SessionCommand,
  type SessionState,
  textBlock,
} from '@app/domain';
import { invariant, MessageId, Revision, SessionId, TenantId, Tokens } from '@app/kernel';
import { constantCounter, padded, prose } from '../sessions/texts.js';
import { MODEL } from '../sessions/turn-messages.js';

const SESSION = SessionId('long');
/** Steps of a turn with tool calls; every third has thinking, every fifth two parallel calls. */
const STEPS = 4;

/**
 * Returns a session of `count` messages without compactions: turns of a question, four steps with tools and an
 * answer.
 */
export const longSession = (count: number, profile = profileNamed('core')): OpenSession => {
  const messages = messagesOf(count).map((message) => countMessage(constantCounter, message));
  let state = carriedOut(initialState, {
    type: 'OpenSession',
    data: {
      tenantId: TenantId('bench'),
      sessionId: SESSION,
      model: MODEL,
      limits: { window: Tokens(count * 200), windowSource: 'given' },
      profile,
      systemPrompt: prose(1, 800),
      tools: [],
      fixedTokens: Tokens(300),
      labels: {},
    },
  });
  state = carriedOut(state, { type: 'AppendMessages', data: { sessionId: SESSION, messages } });
  invariant(state.status === 'open', 'the session has been opened');
  return state;
};

const carriedOut = (state: SessionState, command: SessionCommand): SessionState => {
  const first = state.status === 'open' ? state.messages + 1 : 0;
  return fold(
    state,
    decide(command, state).map((event, at) => ({ event, revision: Revision(first + at) })),
  );
};

const messagesOf = (count: number): readonly Message[] => {
  const messages: Message[] = [];
  for (let step = 0; messages.length < count; step += 1) {
    const inTurn = step % (STEPS + 1);
    if (inTurn === 0) messages.push(message('user', messages.length, textBlock(prose(step, 200))));
    if (inTurn === STEPS) messages.push(message('assistant', messages.length, textBlock(prose(step, 300))));
    else messages.push(...stepOf(step, messages.length));
  }
  return messages.slice(0, count);
};

const stepOf = (step: number, at: number): readonly Message[] => {
  const ids = Array.from({ length: step % 5 === 0 ? 2 : 1 }, (_, call) => `toolu_${padded(step)}_${call}`);
  const thoughts: Block[] =
    step % 3 === 0 ? [{ type: 'thinking', thinking: prose(step, 250), signature: `signature-${step}` }] : [];
  const calls = ids.map((id, call): Block => {
    const input = { path: `src/module-${(step * 7 + call) % 400}.ts` };
    return { type: 'tool_use', id, name: step % 2 === 0 ? 'read_file' : 'edit_file', input };
  });
  const results = ids.map(
    (id, call): Block => ({ type: 'tool_result', tool_use_id: id, content: prose(step + call, 600) }),
  );
  return [
    message('assistant', at, ...thoughts, textBlock(prose(step + 1, 100)), ...calls),
    message('user', at + 1, ...results),
  ];
};

const message = (role: Role, at: number, ...blocks: readonly Block[]): Message => ({
  id: MessageId(`message-${padded(at)}`),
  role,
  blocks,
});
