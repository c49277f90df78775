import { DEFAULT_PROFILE, type Message, type SessionEvent, textBlock } from '@app/domain';
import { CompactionId, MessageId, SessionId, TenantId, Tokens } from '@app/kernel';

/** Session events with defaults for all fields that a test does not set. */

export const openedEvent = (session = 'some', window = 0): SessionEvent => ({
  type: 'SessionOpened',
  data: {
    tenantId: TenantId('acme'),
    sessionId: SessionId(session),
    model: 'unknown',
    limits: { window: Tokens(window), windowSource: 'given' },
    profile: DEFAULT_PROFILE,
    systemPrompt: '',
    tools: [],
    fixedTokens: Tokens(0),
    labels: {},
  },
});

export const textMessage = (id: string, text: string, role: Message['role'] = 'user'): Message => ({
  id: MessageId(id),
  role,
  blocks: [textBlock(text)],
});

export const messageEvent = (message: Message, tokens = 1): SessionEvent => ({
  type: 'MessageAppended',
  data: { message, tokens: Tokens(tokens), blockTokens: [Tokens(tokens)], estimator: 'test' },
});

export const requestedEvent = (compactionId: string): SessionEvent => ({
  type: 'CompactionRequested',
  data: {
    compactionId: CompactionId(compactionId),
    trigger: 'explicit',
    profile: DEFAULT_PROFILE,
    occupancy: Tokens(1),
    turn: 1,
  },
});
