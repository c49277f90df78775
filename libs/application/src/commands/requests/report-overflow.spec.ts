import { ReportOverflow } from '@app/application';
import type { OverflowAnswer } from '@app/contract';
import { AppError, invariant } from '@app/kernel';
import {
  type Application,
  caller,
  composing,
  filledSession,
  recordedEvents,
  ScriptedSummarizer,
  say,
  sessionRef,
  withWorker,
} from '@app/testing';

const ref = sessionRef();
const reporting = ({ commands }: Application, message = 'prompt is too long'): Promise<OverflowAnswer> =>
  commands.execute(new ReportOverflow(ref, { message, status: 400 }, caller));
const typesIn = async ({ log }: Application) => (await recordedEvents(log, ref)).map(({ type }) => type);
const failing = () =>
  new ScriptedSummarizer(() => {
    throw new Error('down');
  });

describe('ReportOverflow', () => {
  // Holds rules 5.76, 5.87.
  it('compacts first and then descends one rung per overflow until the ladder ends', async () => {
    const application = await filledSession(7_900, { mode: 'automatic' });
    const before = await composing(application);
    expect(before).toMatchObject({ outcome: 'composed', state: 'normal' });
    const answer = await withWorker(application, () => reporting(application));
    expect(answer).toMatchObject({ outcome: 'compacted' });
    expect(await reporting(application)).toEqual(answer); // A retried report is one report.
    const again = await composing(application);
    expect(again).toMatchObject({ outcome: 'composed', epoch: 1 });
    expect(again).not.toHaveProperty('ladder');

    let size = Number.POSITIVE_INFINITY;
    const rungs: (string | undefined)[] = [];
    for (;;) {
      const reported = await reporting(application).catch((error: unknown) => error);
      if (reported instanceof AppError) {
        expect(reported).toMatchObject({
          code: 'context-overflow',
          message: expect.stringMatching(
            /largest message is \S+ with \d+ billed tokens.*newest atomic group \d+/,
          ),
        });
        break;
      }
      expect(reported).toEqual({ outcome: 'ladder' });
      const smaller = await composing(application);
      invariant(smaller.outcome === 'composed' && smaller.ladder, 'it goes out on the ladder');
      expect(smaller.ladder.tokens).toBeLessThan(size);
      size = smaller.ladder.tokens;
      rungs.push(smaller.ladder.rung);
    }
    expect(rungs[0]).toBe('drop-groups');
    const recorded = (await recordedEvents(application.log, ref)).at(-1);
    expect(recorded).toMatchObject({
      type: 'ContextOverflowed',
      data: { reason: 'repeated-overflow', rung: rungs.at(-1), parts: expect.any(Array) },
    });
    const types = await typesIn(application);
    expect(types.filter((type) => type === 'CompactionRequested')).toHaveLength(1);
    await expect(reporting(application)).rejects.toMatchObject({ code: 'context-overflow' });
    expect(await typesIn(application)).toEqual(types); // Asked again with nothing between: nothing is recorded.
  });

  it('compacts again after new messages', async () => {
    const application = await filledSession(7_900, { mode: 'automatic' });
    await withWorker(application, () => reporting(application));
    await say(application, 'more', 'm'.repeat(4 * 4_000), 'user');
    const answer = await withWorker(application, () => reporting(application));
    expect(answer).toMatchObject({ outcome: 'compacted' });
  });

  it('descends the ladder if the compaction failed, and keeps the rung for further overflows', async () => {
    const application = await filledSession(7_900, { mode: 'automatic' });
    const whole = await composing(application);
    const answer = await withWorker(application, () => reporting(application), failing());
    expect(answer).toEqual({ outcome: 'ladder' });
    const again = await composing(application);
    expect(again).toMatchObject({
      outcome: 'composed',
      stages: ['drop-groups'],
      ladder: { rung: 'drop-groups', masked: 0 },
    });
    const { request, ladder } = again as Extract<typeof again, { outcome: 'composed' }>;
    expect(ladder?.tokens).toBeLessThanOrEqual(7_900 * 0.9);
    expect(JSON.stringify(request).length).toBeLessThan(JSON.stringify(whole).length * 0.95);
    // No result can be cut, and all groups but the newest are gone by then.
    expect(await reporting(application)).toEqual({ outcome: 'ladder' });
    const deeper = await composing(application);
    expect(deeper).toMatchObject({ ladder: { rung: 'drop-groups' } });
    await expect(reporting(application)).rejects.toMatchObject({
      code: 'context-overflow',
      message: expect.stringContaining('rung drop-groups'),
    });
  });

  // Holds rule 4.13.
  it('returns the error without a record if automatic compaction is disabled', async () => {
    const authorized = await filledSession(7_900);
    const before = await typesIn(authorized);
    await expect(reporting(authorized)).rejects.toMatchObject({ code: 'context-overflow' });
    expect(await typesIn(authorized)).toEqual(before);
  });

  // Holds rule 5.4.
  it('ignores a rate limit and records nothing', async () => {
    const application = await filledSession(7_900, { mode: 'automatic' });
    const before = (await recordedEvents(application.log, ref)).length;
    expect(await reporting(application, 'rate limit: too many tokens')).toEqual({
      outcome: 'not-an-overflow',
    });
    expect(await recordedEvents(application.log, ref)).toHaveLength(before);
  });
});
