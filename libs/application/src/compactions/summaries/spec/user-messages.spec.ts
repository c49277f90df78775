import { frameSummary, usersLinesIn } from '@app/domain';
import { CompactionId } from '@app/kernel';
import {
  type Application,
  caller,
  goodResult,
  openApplication,
  openMemoryLog,
  openSession,
  playTurns,
  quarterCounter,
  recordedEvents,
  requestCompaction,
  ScriptedSummarizer,
  sessionRef,
} from '@app/testing';
import { ChangeSettings } from '../../../commands/sessions/change-settings.js';

const ref = sessionRef();
const never = new AbortController().signal;

const sessionKeeping = async (keepUserMessageTokens: number): Promise<Application> => {
  const application = openApplication(openMemoryLog());
  await openSession(application, ref, { window: 40_000 });
  await application.commands.execute(
    new ChangeSettings(ref, { overrides: { keepUserMessageTokens } }, caller),
  );
  return application;
};
/** Turns `from` up to `to`, and a compaction after them. */
const compactedAfter = async (
  application: Application,
  from: number,
  to: number,
  summarizer = new ScriptedSummarizer(),
) => {
  await playTurns(application, ref, from, to);
  const { compactionId } = await requestCompaction(application, ref);
  await application.runner('w1', summarizer).run(ref, compactionId, 'cause', never);
  const completed = (await recordedEvents(application.log, ref)).flatMap((event) =>
    event.type === 'CompactionCompleted' ? [event.data] : [],
  );
  const summary = completed.at(-1)?.summary ?? '';
  return { summary, data: completed.at(-1), lines: usersLinesIn(summary) };
};
const idsOf = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => line.slice(line.lastIndexOf('[') + 1, -1));

describe('user messages that the policy keeps', () => {
  // Holds rule 2.6.
  it('stand word for word behind the summary, with their ids, and count with it', async () => {
    const { summary, lines, data } = await compactedAfter(await sessionKeeping(10_000), 0, 9);
    expect(summary.startsWith(goodResult().text)).toBe(true);
    expect(idsOf(lines)).toEqual(['q1', 'q2', 'q3', 'q4']);
    expect(lines[0]).toBe(`> "${'question 1 '.padEnd(400, 'q')}" [q1]`);
    expect(data?.quotes).toEqual({ checked: 4, unfounded: [] });
    const framed = frameSummary(summary, CompactionId(data?.compactionId ?? ''));
    expect(data?.summaryTokens).toBe(quarterCounter.count(framed));
  });

  it('are the newest ones that fit the budget', async () => {
    const { lines } = await compactedAfter(await sessionKeeping(250), 0, 8);
    expect(idsOf(lines)).toEqual(['q2', 'q3']);
  });

  it('are none with a budget of zero', async () => {
    const { summary } = await compactedAfter(await sessionKeeping(0), 0, 8);
    expect(summary).toBe(goodResult().text);
  });

  it('stay over later compactions; those beyond the budget go to the summarizer', async () => {
    const application = await sessionKeeping(350);
    expect(idsOf((await compactedAfter(application, 0, 12)).lines)).toEqual(['q5', 'q6', 'q7']);
    const summarizer = new ScriptedSummarizer();
    const { lines } = await compactedAfter(application, 12, 13, summarizer);
    expect(idsOf(lines)).toEqual(['q7', 'q8']);
    const [{ previousSummary } = { previousSummary: '' }] = summarizer.requests;
    expect(idsOf(usersLinesIn(previousSummary ?? ''))).toEqual(['q5', 'q6']);
  });

  it('take at most half of the budget of the summary', async () => {
    const [none, some] = [new ScriptedSummarizer(), new ScriptedSummarizer()];
    await compactedAfter(await sessionKeeping(0), 0, 20, none);
    await compactedAfter(await sessionKeeping(100_000), 0, 20, some);
    const [all = 0, left = 0] = [none, some].map(({ requests }) => requests[0]?.sizeMax ?? 0);
    expect(left).toBeLessThan(all);
    expect(left).toBeGreaterThanOrEqual(all / 2 - 100);
  });
});
