import {
  type Block,
  compose,
  composeWire,
  type Message,
  manifestOf,
  type OpenSession,
  referencesIn,
} from '@app/domain';
import { append, assistant, call, open, result, sessionOf, system, thinking, user } from '@app/testing';
import fc from 'fast-check';

/** A step of a session: most are calls with results, which its requests have in the same form ever after. */
const steps = fc.oneof(
  { arbitrary: fc.constant('exchange' as const), weight: 60 },
  { arbitrary: fc.constant('thought' as const), weight: 6 },
  { arbitrary: fc.constantFrom('odd-id' as const, 'twin-id' as const), weight: 10 },
  {
    arbitrary: fc.constantFrom(
      ...(['two-calls', 'open-call', 'late-result', 'early-result', 'same-id', 'awkward-id'] as const),
      ...(['awkward-tool', 'new-tool', 'words', 'blank', 'last-thought', 'system'] as const),
      ...(['assistant-alone', 'marked', 'stray', 'empty', 'no-words'] as const),
    ),
    weight: 6,
  },
);
type Kind = typeof steps extends fc.Arbitrary<infer Step> ? Step : never;

/** Reasoning of the second model is bound to all that precedes it. */
const REQUESTS = [
  { format: 'anthropic', model: 'claude-opus-4-6' },
  { format: 'anthropic', model: 'claude-opus-5-5' },
  { format: 'openai-chat', model: 'gpt-5.1' },
  { format: 'openai-responses', model: 'gpt-5.1' },
] as const;

const marked = (block: Block): Block => ({ ...block, cache_control: { type: 'ephemeral' } });

const messagesOf = (kind: Kind, n: number): readonly Message[] => {
  const [a, u, id] = [`a${n}`, `u${n}`, `call_${n}`];
  const older = `call_${Math.max(0, n - 7)}`;
  switch (kind) {
    case 'exchange':
      return [assistant(a, call(id)), user(u, result(id))];
    case 'two-calls':
      return [assistant(a, call(id), call(`${id}_b`)), user(u, result(`${id}_b`), result(id), 'And?')];
    case 'open-call':
      return [assistant(a, call(id)), user(u, 'Never mind.')];
    case 'late-result':
      return [user(u, result(older, 'late'))];
    case 'early-result':
      return [user(u, result(`call_${n + 1}`, 'early'))];
    case 'same-id':
      return [assistant(a, call(older)), user(u, result(older, 'again'))];
    case 'awkward-id':
      return [assistant(a, call(`${id} ü`)), user(u, result(`${id} ü`))];
    case 'odd-id':
      return [assistant(a, call(`odd ${n % 20}`)), user(u, result(`odd ${n % 20}`))];
    case 'twin-id':
      return [assistant(a, call(`odd_${n % 20}`)), user(u, result(`odd_${n % 20}`))];
    case 'awkward-tool':
      return [assistant(a, { ...call(id), name: 'a tool' }), user(u, result(id))];
    case 'new-tool':
      return [assistant(a, { ...call(id), name: `tool_${n}` }), user(u, result(id))];
    case 'words':
      return [user(u, `Question ${n}`), assistant(a, `Answer ${n}`)];
    case 'blank':
      return [user(u, ' '), assistant(a, '\n')];
    case 'thought':
      return [assistant(a, thinking(`Thought ${n}`, 'signed'), call(id)), user(u, result(id))];
    case 'last-thought':
      return [assistant(a, `Answer ${n}`, thinking(`Thought ${n}`, 'signed')), user(u, 'Go on.')];
    case 'system':
      return [system(`s${n}`, `Rule ${n}`)];
    case 'assistant-alone':
      return [assistant(a, `Step ${n}`)];
    case 'marked':
      return [assistant(a, marked(call(id))), user(u, marked(result(id)))];
    case 'stray':
      return [user(u, call(id)), assistant(a, result(id))];
    case 'no-words':
      return [assistant(a, `Answer ${n}`), user(u, ' ')];
    case 'empty':
      return [assistant(a), user(u)];
  }
};

/** Guarantee: a request that is composed from the beginning of an earlier one is the request that its messages alone give. */
describe('a request of a session that grows', () => {
  it('is the same as one composed at once', () => {
    let shared = 0;
    fc.assert(
      fc.property(
        fc.array(steps, { minLength: 20, maxLength: 60 }),
        fc.constantFrom(...REQUESTS),
        fc.boolean(),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        (kinds, { format, model }, isAdvised, growth) => {
          const all = kinds.flatMap((kind, at) => messagesOf(kind, at));
          const whole = { ...sessionOf(open({ tools: [] }), append(user('u', 'Begin.'), ...all)), model };
          for (let to = 1, turn = 0; to <= whole.entries.length; turn += 1) {
            const session: OpenSession = { ...whole, entries: whole.entries.slice(0, to) };
            const manifest = manifestOf(session, isAdvised && turn % 2 === 0 ? ['Advice'] : []);
            const { request, parts, notes } = compose(manifest, format);
            if (parts.length > 2) shared += 1;
            const alone = composeWire(manifest, format);
            expect(parts.flat()).toEqual(alone.parts.flat());
            expect(notes).toEqual(alone.notes);
            expect(request).toEqual(compose(structuredClone(manifest), format).request);
            if ('max_tokens' in request)
              expect(referencesIn(request, parts, session)).toEqual(
                referencesIn(request, [parts.flat()], session),
              );
            to += growth[turn % growth.length] ?? 1;
          }
        },
      ),
      { numRuns: 100 },
    );
    expect(shared).toBeGreaterThan(100);
  });
});
