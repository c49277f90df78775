import {
  type AnthropicMessage,
  type AnthropicRequest,
  type Block,
  textBlock,
  validateAnthropic,
} from '@app/domain';
import { call, image, result, thinking } from '@app/testing';

const said = (role: 'user' | 'assistant', ...content: readonly (Block | string)[]): AnthropicMessage => ({
  role,
  content: content.map((part) => (typeof part === 'string' ? textBlock(part) : part)),
});
const user = (...content: readonly (Block | string)[]) => said('user', ...content);
const assistant = (...content: readonly (Block | string)[]) => said('assistant', ...content);
const rulesOf = (messages: readonly AnthropicMessage[], more: Partial<AnthropicRequest> = {}): string[] =>
  validateAnthropic({ model: 'm', max_tokens: 1, messages, ...more }).map(({ rule }) => rule);

describe('the Anthropic rules', () => {
  it('accept a complete exchange', () =>
    expect(
      rulesOf([
        user('go', image()),
        assistant(thinking('hm', 'sig'), 'first', call('c1'), call('c2')),
        user(result('c2'), result('c1'), 'and hurry'),
        assistant('done'),
      ]),
    ).toEqual([]));

  it('accept unanswered calls in the last message', () =>
    expect(rulesOf([user('go'), assistant(call('c1'))])).toEqual([]));

  it.each<[string, AnthropicMessage[]]>([
    ['at least one message is required', []],
    ['the first message must be the user’s', [assistant('hi')]],
    ['two messages of one role in a row', [user('a'), user('b')]],
    ['a message without content', [user('a'), assistant(), user('b')]],
    ['an empty text block', [user('')]],
    ['an empty text block', [user(' \n')]],
    ['two calls with one id', [user('a'), assistant(call('c'), call('c')), user(result('c'))]],
    ['two calls with one id', [user('a'), assistant(call('c')), user(result('c')), assistant(call('c'))]],
    ['a call id with characters that are not allowed', [user('a'), assistant(call('c:1'))]],
    ['a call without its result in the next message', [user('a'), assistant(call('c')), user('b')]],
    [
      'a call without its result in the next message',
      [user('a'), assistant(call('c'), call('d')), user(result('c'))],
    ],
    ['a result without its call in the message before', [user(result('c'))]],
    [
      'a result without its call in the message before',
      [user('a'), assistant(call('c')), user(result('c')), assistant('b'), user(result('c'))],
    ],
    ['two results for one call', [user('a'), assistant(call('c')), user(result('c'), result('c'))]],
    [
      'tool results must come before everything else',
      [user('a'), assistant(call('c')), user('b', result('c'))],
    ],
    ['a tool result outside a user message', [user('a'), assistant(result('c'))]],
    ['a tool call outside an assistant message', [user(call('c'))]],
    [
      'an empty text block in a tool result',
      [user('a'), assistant(call('c')), user(result('c', [{ type: 'text', text: '' }]))],
    ],
    ['reasoning outside an assistant message', [user(thinking('hm', 'sig'), 'a')]],
    ['reasoning without a signature', [user('a'), assistant(thinking('hm'), 'b')]],
    ['reasoning at the end of a message', [user('a'), assistant('b', thinking('hm', 'sig'))]],
  ])('report %s', (rule, messages) => expect(rulesOf(messages)).toContain(rule));

  it('report a blank system prompt', () =>
    expect(rulesOf([user('a')], { system: ' ' })).toEqual(['system text must not be blank']));

  it('report more than four cache marks, in any position', () => {
    const mark = { cache_control: { type: 'ephemeral' } };
    const marked = user(...[1, 2, 3].map((n) => ({ type: 'text' as const, text: `${n}`, ...mark })));
    const tools = [{ name: 't', input_schema: {}, ...mark }];
    expect(rulesOf([marked], { tools })).toEqual([]);
    const inResult = [
      marked,
      assistant(call('c')),
      user(result('c', [{ type: 'text', text: 'x', ...mark }])),
    ];
    expect(rulesOf(inResult, { tools })).toEqual(['more than four cache marks']);
  });
});
