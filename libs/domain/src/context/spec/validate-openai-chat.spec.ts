import { validateOpenAiChat } from '@app/domain';
import type { JsonObject } from '@app/kernel';

const user = (content: JsonObject['content'] = 'go'): JsonObject => ({ role: 'user', content });
const calling = (...ids: string[]): JsonObject => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
});
const tool = (id: string, content = 'done'): JsonObject => ({ role: 'tool', tool_call_id: id, content });
const rulesOf = (...messages: readonly JsonObject[]): string[] =>
  validateOpenAiChat({ model: 'm', messages, max_completion_tokens: 1 }).map(({ rule }) => rule);

describe('the OpenAI chat rules', () => {
  it('accept a complete exchange', () =>
    expect(
      rulesOf({ role: 'system', content: 's' }, user(), calling('a', 'b'), tool('b'), tool('a'), user()),
    ).toEqual([]));

  it('accept unanswered calls in the last message', () => expect(rulesOf(user(), calling('a'))).toEqual([]));

  it.each<[string, JsonObject[]]>([
    ['at least one message is required', [{ role: 'system', content: 's' }]],
    ['a call without its tool message', [user(), calling('a'), user()]],
    ['a call without its tool message', [user(), calling('a', 'b'), tool('a')]],
    ['a tool message that answers no call right before it', [user(), tool('a')]],
    ['a tool message that answers no call right before it', [user(), calling('a'), tool('a'), tool('a')]],
    [
      'a tool message that answers no call right before it',
      [user(), calling('a'), tool('a'), user(), tool('a')],
    ],
    ['a tool message without content', [user(), calling('a'), tool('a', ' ')]],
    ['two calls with one id', [user(), calling('a', 'a'), tool('a')]],
    ['two calls with one id', [user(), calling('a'), tool('a'), calling('a')]],
    ['a call id that is empty or longer than 40 characters', [user(), calling('x'.repeat(41))]],
    ['a call id that is empty or longer than 40 characters', [user(), calling('')]],
    ['a message without content', [user('')]],
    ['a message without content', [user([])]],
    ['a message without content', [user([{ type: 'text', text: ' ' }])]],
    ['a message without content', [user(), { role: 'assistant', content: null }]],
  ])('report %s', (rule, messages) => expect(rulesOf(...messages)).toContain(rule));

  it('accept an id of 40 characters', () => expect(rulesOf(user(), calling('x'.repeat(40)))).toEqual([]));
});
