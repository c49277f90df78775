import { validateOpenAiResponses } from '@app/domain';
import type { JsonObject } from '@app/kernel';

const user = (content: JsonObject['content'] = 'go'): JsonObject => ({ role: 'user', content });
const calling = (call_id: string): JsonObject => ({
  type: 'function_call',
  call_id,
  name: 'f',
  arguments: '{}',
});
const output = (call_id: string, words = 'done'): JsonObject => ({
  ...{ type: 'function_call_output', call_id, output: words },
});
const thought: JsonObject = { type: 'reasoning', summary: [], encrypted_content: 'gAAA' };
const rulesOf = (...input: readonly JsonObject[]): string[] =>
  validateOpenAiResponses({ model: 'm', input, store: false, max_output_tokens: 16 }).map(({ rule }) => rule);

describe('the OpenAI Responses rules', () => {
  it('accept a complete exchange', () =>
    expect(rulesOf(user(), thought, calling('a'), calling('b'), output('b'), output('a'), user())).toEqual(
      [],
    ));

  it('accept unanswered calls in the last step', () =>
    expect(rulesOf(user(), { role: 'assistant', content: 'look' }, calling('a'), calling('b'))).toEqual([]));

  it.each<[string, JsonObject[]]>([
    ['at least one message is required', [{ role: 'developer', content: 's' }]],
    ['a call without its output', [user(), calling('a'), user()]],
    ['a call without its output', [user(), calling('a'), calling('b'), output('a')]],
    ['an output that answers no call before it', [user(), output('a')]],
    ['an output that answers no call before it', [user(), calling('a'), output('a'), output('a')]],
    ['an output without content', [user(), calling('a'), output('a', ' ')]],
    ['two calls with one id', [user(), calling('a'), output('a'), calling('a')]],
    ['a call id that is empty or longer than 64 characters', [user(), calling('x'.repeat(65))]],
    ['a message without content', [user([])]],
    ['a message without content', [user([{ type: 'input_text', text: ' ' }])]],
    ['reasoning that nothing follows', [user(), thought]],
    ['reasoning that nothing follows', [user(), thought, user()]],
    ['reasoning that is not encrypted', [user(), { type: 'reasoning', summary: [] }, calling('a')]],
  ])('report %s', (rule, input) => expect(rulesOf(...input)).toContain(rule));
});
