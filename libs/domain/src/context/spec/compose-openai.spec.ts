import { compose, type Message, manifestOf, type OpenSession } from '@app/domain';
import { append, assistant, call, image, open, result, sessionOf, user } from '@app/testing';

const session = (...messages: readonly Message[]): OpenSession => sessionOf(open(), append(...messages));
const anthropic = (of: OpenSession) => compose(manifestOf(of), 'anthropic');
const openAi = (of: OpenSession) => compose(manifestOf(of), 'openai-chat');
const text = (words: string) => ({ type: 'text', text: words });

describe('a request to OpenAI', () => {
  // Holds rule 1.3.
  it('answers calls by tool messages, followed by all images', () => {
    const { request, violations } = openAi(
      session(
        user('u1', 'go'),
        assistant('a1', 'look', call('c1'), call('c2')),
        user('r1', result('c1', [text('one'), image('QQ==')]), { ...result('c2', 'two'), is_error: true }),
      ),
    );
    expect(violations).toEqual([]);
    expect(request.messages.slice(2)).toEqual([
      {
        role: 'assistant',
        content: 'look',
        tool_calls: ['c1', 'c2'].map((id) => ({
          id,
          type: 'function',
          function: { name: 'read_file', arguments: '{"path":"/src/a.ts"}' },
        })),
      },
      { role: 'tool', tool_call_id: 'c1', content: 'one\n[image: see the next message]' },
      { role: 'tool', tool_call_id: 'c2', content: '[error] two' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,QQ==' } }] },
    ]);
  });

  it('shortens ids to the accepted 40 characters and keeps them distinct', () => {
    const long = 'x'.repeat(50);
    const { request, violations } = openAi(
      session(
        user('u1', 'go'),
        assistant('a1', call(`${long}1`), call(`${long}2`)),
        user('r1', result(`${long}2`), result(`${long}1`)),
      ),
    );
    expect(violations).toEqual([]);
    expect(request.messages.slice(-2)).toMatchObject([
      { tool_call_id: 'x'.repeat(40) },
      { tool_call_id: `${'x'.repeat(38)}_2` },
    ]);
  });

  it('declares a tool in OpenAI’s own form once, for every provider', () => {
    const tool = { type: 'function', function: { name: 'read_file', parameters: { type: 'object' } } };
    const of = sessionOf(open({ tools: [tool] }), append(user('u', 'go'), assistant('a', call('c1'))));
    expect(openAi(of).request.tools).toEqual([tool]);
    expect(anthropic(of).request.tools).toEqual([{ name: 'read_file', input_schema: { type: 'object' } }]);
  });
});
