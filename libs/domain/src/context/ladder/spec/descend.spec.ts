import {
  compose,
  descend,
  estimatedTokens,
  manifestOf,
  type OpenSession,
  pairToolCalls,
  type Shortening,
  shortenManifest,
} from '@app/domain';
import { isWellFormed, Tokens } from '@app/kernel';
import {
  append,
  appendBilled,
  assistant,
  call,
  counted,
  downTo,
  image,
  type Opening,
  open,
  result,
  sessionOf,
  sized,
  turns,
  user,
} from '@app/testing';

/** A step of which the result alone takes about `tokens`. */
const step = (id: string, tokens: number, name = 'read_file') => [
  assistant(`a-${id}`, call(id, name)),
  user(`r-${id}`, result(id, `${id} `.padEnd(tokens * 4, '.'))),
];
const worked = (opening: Opening = {}): OpenSession =>
  sessionOf(
    open({ window: 10_000, ...opening }),
    append(user('u1', 'look'), ...step('c1', 400), ...step('c2', 400), assistant('a3', 'seen')),
    append(user('u2', 'go on'), ...step('c3', 400), ...step('c4', 800)),
  );
const taken = (session: OpenSession, budget: number): Shortening => {
  const shortening = descend(session, downTo(budget));
  if (!shortening) throw new Error('something can be left out');
  return shortening;
};
/** The request as text. */
const sent = (session: OpenSession, shortening: Shortening): string => {
  const { request, violations } = compose(
    shortenManifest(manifestOf(session), shortening, Tokens(100)),
    'anthropic',
  );
  expect(violations).toEqual([]);
  return JSON.stringify(request);
};

describe('the ladder', () => {
  // Holds rule 5.85.
  it('masks the fewest tool outputs that suffice, oldest first', () => {
    const session = worked();
    const shortening = taken(session, estimatedTokens(session) - 300);
    expect(shortening).toMatchObject({ rung: 'mask-outputs', rungs: ['mask-outputs'], droppedGroups: 0 });
    expect(shortening.masked.map(({ callId }) => callId)).toEqual(['c1']);
    expect(shortening.tokens).toBeLessThanOrEqual(estimatedTokens(session) - 300);
    expect(sent(session, shortening)).not.toContain('c1 ..');
    expect(sent(session, shortening)).toContain('c2 ..');
  });

  it('masks outputs of exempt tools last and those of the newest group never', () => {
    const session = sessionOf(
      open({ window: 10_000, profile: { exemptTools: ['skill'] } }),
      append(user('u1', 'look'), ...step('c1', 400, 'skill'), ...step('c2', 400), ...step('c3', 400)),
    );
    const few = taken(session, estimatedTokens(session) - 300);
    expect(few.masked.map(({ callId }) => callId)).toEqual(['c2']);
    const more = taken(session, estimatedTokens(session) - 600);
    expect(more).toMatchObject({ rung: 'mask-outputs' });
    expect(more.masked.map(({ callId }) => callId)).toEqual(['c2', 'c1']);
    expect(sent(session, more)).toContain('c3 ..');
  });

  // Holds rule 5.85.
  it('drops the oldest groups next, leaves a note in their place, and keeps the newest user message', () => {
    const session = worked();
    const masked = taken(session, 1).tokens; // The least there is, to see that every rung is smaller.
    const all = estimatedTokens(session) - 3 * 368;
    const shortening = taken(session, all - 20);
    expect(shortening).toMatchObject({ rung: 'drop-groups', rungs: ['mask-outputs', 'drop-groups'] });
    expect(shortening.tokens).toBeGreaterThan(masked);
    const text = sent(session, shortening);
    expect(text).toContain('Earlier messages were left out of this request');
    expect(text).not.toContain('"look"');
    expect(text).toContain('go on');
    expect(text).toContain('c4 ..');
  });

  // Holds rule 5.85.
  it('keeps only the newest group at last, its results cut to head and tail', () => {
    const session = worked();
    const shortening = taken(session, 300);
    expect(shortening).toMatchObject({
      rung: 'newest-group',
      rungs: ['mask-outputs', 'drop-groups', 'newest-group'],
    });
    expect(shortening.tokens).toBeLessThanOrEqual(300);
    const recounted = shortening.messages.reduce((sum, message) => sum + counted(message).tokens, 0);
    expect(recounted).toBeLessThanOrEqual(shortening.tokens);
    expect(shortening.messages.map(({ id }) => id)).toEqual(['u2', 'a-c4', 'r-c4']);
    expect(sent(session, shortening)).toMatch(/c4 \.+\\n\[… \d+ characters left out …\]\\n\.+/);
  });

  it('cuts all results of a batch to one size, those of exempt tools only if necessary', () => {
    const batch = (exemptTools: readonly string[]) =>
      sessionOf(
        open({ window: 10_000, profile: { exemptTools } }),
        append(
          user('u1', 'look'),
          assistant('a1', call('c1'), call('c2', 'skill'), call('c3')),
          user('r1', result('c1', 'x'.repeat(2_000)), result('c2', 'y'.repeat(2_000)), result('c3', 'short')),
        ),
      );
    const cutIn = (session: OpenSession) => sent(session, taken(session, 700)).match(/[xy](?=\\n\[…)/g);
    expect(cutIn(batch([]))).toEqual(['x', 'y']);
    expect(cutIn(batch(['skill']))).toEqual(['x']);
    expect(sent(batch([]), taken(batch([]), 700))).toContain('short');
  });

  // Holds rule 5.86.
  it('shrinks the request strictly with each rung, and names the lowest rung if none suffices', () => {
    const session = worked();
    const sizes = [1_900, 1_000, 400].map((budget) => taken(session, budget));
    expect(sizes.map(({ rung }) => rung)).toEqual(['mask-outputs', 'drop-groups', 'newest-group']);
    expect(sizes[1]?.tokens).toBeLessThan(sizes[0]?.tokens ?? 0);
    expect(sizes[2]?.tokens).toBeLessThan(sizes[1]?.tokens ?? 0);
    expect(taken(session, 10)).toMatchObject({ rung: 'newest-group' });
    expect(taken(session, 10).tokens).toBeGreaterThan(10);
  });

  it('cannot shorten a single question', () =>
    expect(descend(sessionOf(open(), append(sized('u1', 'user', 300))), downTo(100))).toBeUndefined());

  it('does not mask an output that is shorter than its replacement', () => {
    const session = sessionOf(open(), append(user('u1', 'look'), ...step('c1', 30), ...step('c2', 400)));
    expect(taken(session, estimatedTokens(session) - 10).masked).toEqual([]);
  });

  it('names media in cut results', () => {
    const parts = [{ type: 'text', text: 'z'.repeat(4_000) }, image()] as const;
    const session = sessionOf(
      open(),
      append(user('u1', 'look'), assistant('a1', call('c1')), user('r1', result('c1', parts))),
    );
    const text = sent(session, taken(session, 400));
    expect(text).toContain('z\\n[image]');
    expect(text).not.toContain('aGVsbG8=');
  });

  it('measures in billed tokens once the provider has reported usage', () => {
    const session = sessionOf(
      open({ window: 10_000 }),
      append(user('u1', 'look'), ...step('c1', 400), ...step('c2', 400)),
      appendBilled({ input: 3_000 }, assistant('a3', 'seen')),
    );
    const shortening = taken(session, 2_500);
    expect(shortening.masked.map(({ callId }) => callId)).toEqual(['c1']);
    expect(shortening.tokens).toBeGreaterThan(estimatedTokens(session));
    expect(shortening.tokens).toBeLessThanOrEqual(2_500);
  });

  it('leaves session, system prompt and events unchanged', () => {
    const session = worked({ systemPrompt: 'Be brief.' });
    const before = JSON.stringify(session);
    expect(sent(session, taken(session, 400))).toContain('Be brief.');
    expect(JSON.stringify(session)).toBe(before);
  });
});

describe('case 31: cuts of the ladder', () => {
  it.each(['👩‍👩‍👧‍👦', 'é', '🇩🇪', '한'])('never split the character %s', (character) => {
    const text = character.repeat(6_000 / character.length);
    const session = sessionOf(
      open({ window: 10_000 }),
      append(user('u1', 'look'), assistant('a1', call('c1')), user('r1', result('c1', text))),
    );
    for (let budget = 70; budget < 200; budget += 1) {
      const [, , answer] = taken(session, budget).messages;
      const [block] = answer?.blocks ?? [];
      const content = block?.type === 'tool_result' ? String(block.content) : '';
      expect(content).toMatch(/characters left out/);
      expect(isWellFormed(content)).toBe(true);
      expect(content.startsWith(character)).toBe(true);
      expect(content).not.toMatch(/\n[\p{M}\u200d]/u);
    }
  });
});

it('masks calls only together with their results', () => {
  const session = sessionOf(
    open({ window: 10_000 }),
    append(
      ...turns(2),
      user('u9', 'go'),
      ...step('c1', 400),
      assistant('a9', call('open')),
      ...step('c2', 400),
    ),
  );
  for (const budget of [1_000, 600, 300]) {
    const { messages } = taken(session, budget);
    expect(pairToolCalls(messages).unpaired).toEqual([]);
  }
});
