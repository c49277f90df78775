import { compose, manifestOf, type OpenSession } from '@app/domain';
import {
  append,
  assistant,
  call,
  compactable,
  complete,
  open,
  redacted,
  request,
  result,
  sessionOf,
  start,
  thinking,
  turns,
  user,
} from '@app/testing';

const thoughtsIn = (session: OpenSession) =>
  JSON.stringify(compose(manifestOf(session), 'anthropic').request).match(/"signature":"[^"]*"/g) ?? [];
const omissionsIn = (session: OpenSession) =>
  compose(manifestOf(session), 'anthropic').notes.flatMap((note) => ('reason' in note ? [note.reason] : []));
const thought = assistant('a9', thinking('hm', 'sig'), 'so');

describe('reasoning in a request', () => {
  // Holds rule 3.1.
  it('is sent as its provider wrote it, including its signature', () => {
    const session = sessionOf(
      open(),
      append(user('u', 'go'), assistant('a', thinking('hm', 'sig'), redacted('x'), 'so')),
    );
    const { request } = compose(manifestOf(session), 'anthropic');
    expect(request.messages[1]).toEqual({
      role: 'assistant',
      content: [thinking('hm', 'sig'), redacted('x'), { type: 'text', text: 'so' }],
    });
  });

  it.each([
    ['it is unsigned', assistant('a', thinking('hm'), 'so'), 'unsigned'],
    ['another provider signed it', assistant('a', thinking('hm', '{"id":"rs_1"}'), 'so'), 'foreign-provider'],
    ['a model of another provider wrote it', { ...thought, model: 'gpt-5.4' }, 'foreign-provider'],
    ['no block follows', assistant('a', 'so', thinking('hm', 'sig')), 'nothing-follows'],
  ])('is omitted if %s', (_, answer, reason) => {
    const session = sessionOf(open(), append(user('u', 'go'), answer));
    expect(thoughtsIn(session)).toEqual([]);
    expect(omissionsIn(session)).toEqual([reason]);
  });

  // Holds rule 3.8.
  it('is never sent to another provider', () => {
    const { request } = compose(
      manifestOf(sessionOf(open(), append(user('u', 'go'), thought))),
      'openai-chat',
    );
    expect(JSON.stringify(request)).not.toContain('hm');
  });

  describe('after a compaction', () => {
    const compacted = (model: string) =>
      sessionOf(...compactable({ model }), append(user('u9', 'go'), thought), request(), start(), complete());

    it.each([
      'claude-3-7-sonnet-20250219',
      'claude-opus-4-6',
      'claude-opus-4-8',
      'claude-sonnet-4-5-20250929',
      'claude-fable-5',
      'claude-fable-5-20260801',
      'claude-opus-5',
      'claude-opus-5-20260801',
    ])('stays for %s', (model) => expect(thoughtsIn(compacted(model))).toHaveLength(1));

    // Holds rule 3.5.
    it.each([
      'claude-fable-5-1',
      'claude-mythos-5-2',
      'claude-opus-5-5',
      'claude-sonnet-5-5-20261001',
      'claude-haiku-5-5',
      'anthropic/claude-opus-5.5',
      'anthropic.claude-opus-5-5-v1:0',
      'claude-opus-6',
    ])('is omitted for %s, which binds reasoning to the content before it', (model) => {
      expect(thoughtsIn(compacted(model))).toEqual([]);
      expect(omissionsIn(compacted(model))).toEqual(['bound-to-changed-prefix']);
    });
  });

  // Holds rule 3.5.
  it('stays for a model that binds it if the content before it is unchanged', () => {
    const session = sessionOf(
      open({ model: 'claude-opus-5-5' }),
      append(...turns(1), user('u9', 'go'), thought),
    );
    expect(thoughtsIn(session)).toHaveLength(1);
  });

  describe('for a model that binds it to declared tools', () => {
    const thinker = open({ model: 'claude-opus-5-5', tools: [{ name: 'read', input_schema: {} }] });
    const calling = (name: string) =>
      append(user('u', 'go'), thought, assistant('b', call('t', name)), user('r', result('t')));

    it('is omitted if a later call uses an undeclared tool', () => {
      const session = sessionOf(thinker, calling('write'));
      expect(thoughtsIn(session)).toEqual([]);
      expect(omissionsIn(session)).toEqual(['bound-to-changed-prefix']);
    });

    it('stays if the called tool was declared', () =>
      expect(thoughtsIn(sessionOf(thinker, calling('read')))).toHaveLength(1));

    it('stays after the first call of such a tool, because its next call changes nothing', () => {
      const later = assistant('c', thinking('hm', 'later'), call('t2', 'write'));
      const session = sessionOf(thinker, calling('write'), append(later, user('r2', result('t2'))));
      expect(thoughtsIn(session)).toEqual(['"signature":"later"']);
    });
  });
});
