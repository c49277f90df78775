import type { WhyNow } from '@app/contract';
import { Actor, IsoTime, Revision, Tokens } from '@app/kernel';
import { whyText } from './render-why.js';

const why = (deferred: WhyNow['deferred']): WhyNow => ({
  revision: Revision(9),
  at: IsoTime('2026-11-21T08:38:18.617Z'),
  trigger: 'threshold',
  count: null,
  actor: Actor('cli'),
  profile: 'core',
  mode: 'automatic',
  withInstructions: false,
  deferred,
  turn: 3,
  occupancy: Tokens(810),
  window: Tokens(1_000),
  thresholds: null,
});

describe('why there was a compaction, in words', () => {
  it('names each wait before it, oldest first', () => {
    const wait = { at: IsoTime('2026-11-21T08:30:00.000Z'), by: Actor('alice') };
    const lines = whyText(
      why([
        { ...wait, revision: Revision(5), trigger: 'threshold', until: 'released', reason: 'a migration' },
        { ...wait, revision: Revision(7), trigger: 'requested-mid-turn', until: 'turn-end', reason: 'later' },
      ]),
    );
    expect(lines).toEqual([
      'why now   the threshold was reached [threshold], in turn 3, recorded by cli at revision 9',
      'deferred  until it is released, on the word of alice: a migration [threshold], at revision 5, 2026-11-21T08:30:00.000Z',
      'deferred  until the end of the turn, on the word of alice: later [requested-mid-turn], at revision 7, 2026-11-21T08:30:00.000Z',
      'occupancy 810 billed tokens of 1000 (81 %)',
      'policy    profile core, automatic',
    ]);
  });

  it('says nothing of waits where there was none', () =>
    expect(whyText(why([])).some((line) => line.startsWith('deferred'))).toBe(false));
});
