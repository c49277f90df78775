import { compose, estimatedTokens, manifestOf } from '@app/domain';
import {
  append,
  assistant,
  call,
  checkBudget,
  eventsOf,
  filler,
  open,
  result,
  sessionOf,
  thinking,
  user,
} from '@app/testing';

const profile = { reasoning: 'drop-beyond-protected', keepRecentTurns: 1, stages: ['summarize'] } as const;
const loop = (id: string, size = 400) =>
  append(
    user(`u-${id}`, 'go'),
    assistant(`a-${id}`, thinking(filler(size), 'sig'), call(`c-${id}`)),
    user(`r-${id}`, result(`c-${id}`)),
    assistant(`b-${id}`, thinking('and so', 'sig'), 'I went on', call(`e-${id}`)),
    user(`s-${id}`, result(`e-${id}`)),
    assistant(`d-${id}`, `done with ${id}`),
  );

describe('dropping reasoning beyond the protected turns', () => {
  const past = [open({ profile }), loop('one', 3_200), loop('two', 3_200)];

  // Holds rule 3.3.
  it('removes whole thinking loops at the trigger, and keeps calls and text', () => {
    const session = sessionOf(...past, checkBudget());
    expect(session.marks.droppedReasoning.map(({ messageId }) => messageId)).toEqual(['a-one', 'b-one']);
    const body = JSON.stringify(compose(manifestOf(session), 'anthropic').request);
    expect(body.match(/"type":"thinking"/g)).toHaveLength(2);
    expect(body).toContain('I went on');
    expect(body).toContain('c-one');
  });

  it('may free enough to make a compaction unnecessary', () => {
    const types = eventsOf(...past, checkBudget()).map(({ type }) => type);
    expect(types).toContain('ReasoningDropped');
    expect(types).not.toContain('CompactionRequested');
    const [before, after] = [sessionOf(...past), sessionOf(...past, checkBudget())];
    expect(estimatedTokens(before) - estimatedTokens(after)).toBeGreaterThan(800);
  });

  // Holds rule 3.3.
  it('does not run if the policy does not enable it', () => {
    const kept = [open({ profile: { ...profile, reasoning: 'summarize' } }), ...past.slice(1), checkBudget()];
    expect(sessionOf(...kept).marks.droppedReasoning).toEqual([]);
  });
});
