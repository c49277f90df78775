import { type OverflowAnswer, ReportOverflow } from '@app/application';
import {
  type Application,
  caller,
  composing,
  filledSession,
  recordedEvents,
  ScriptedSummarizer,
  sessionRef,
  withWorker,
} from '@app/testing';

const ref = sessionRef();
const reporting = ({ commands }: Application, message = 'prompt is too long'): Promise<OverflowAnswer> =>
  commands.execute(new ReportOverflow(ref, { message, status: 400 }, caller));

describe('an overflow that a provider has reported', () => {
  it('is compacted, and the request goes out again, one time', async () => {
    const application = await filledSession(7_900, { mode: 'automatic' });
    const before = await composing(application);
    expect(before).toMatchObject({ outcome: 'composed', state: 'normal' });
    const answer = await withWorker(application, () => reporting(application));
    expect(answer).toMatchObject({ outcome: 'compacted' });
    const again = await composing(application);
    expect(again).toMatchObject({ outcome: 'composed', epoch: 1 });
    await expect(reporting(application)).rejects.toMatchObject({ code: 'context-overflow' });
    const types = (await recordedEvents(application.log, ref)).map(({ type }) => type);
    expect(types.filter((type) => type === 'CompactionRequested')).toHaveLength(1);
  });

  it('is the caller’s where the compaction failed, and where compacting is not automatic', async () => {
    const failing = new ScriptedSummarizer(() => {
      throw new Error('down');
    });
    const automatic = await filledSession(7_900, { mode: 'automatic' });
    const answer = withWorker(automatic, () => reporting(automatic), failing);
    await expect(answer).rejects.toMatchObject({ code: 'context-overflow' });
    const authorized = await filledSession(7_900);
    await expect(reporting(authorized)).rejects.toMatchObject({ code: 'context-overflow' });
  });

  it('is none where a rate limit was, and nothing is recorded', async () => {
    const application = await filledSession(7_900, { mode: 'automatic' });
    const before = (await recordedEvents(application.log, ref)).length;
    expect(await reporting(application, 'rate limit: too many tokens')).toEqual({
      outcome: 'not-an-overflow',
    });
    expect(await recordedEvents(application.log, ref)).toHaveLength(before);
  });
});
