import { AppendMessages, ChangeSettings, CompleteTurn } from '@app/application';
import {
  caller,
  openApplication,
  openMemoryLog,
  openSession,
  playTurns,
  recordedEvents,
  sessionRef,
  textMessage,
} from '@app/testing';

const ref = sessionRef();
const typesOf = async (application: ReturnType<typeof openApplication>) =>
  (await recordedEvents(application.log, ref)).map(({ type }) => type);

describe('CompleteTurn', () => {
  const filled = async (profile: string, overrides = {}) => {
    const application = openApplication(openMemoryLog());
    await openSession(application, ref, { profile });
    await application.commands.execute(
      new ChangeSettings(ref, { overrides: { keepRecentTokens: 1_000, ...overrides } }, caller),
    );
    // A turn takes 410 tokens, and the thirteenth exceeds half of the window of 10,000.
    await playTurns(application, ref, 0, 12);
    const before = await typesOf(application);
    const messages = [textMessage('q', 'q'.repeat(400)), textMessage('a', 'a'.repeat(1_200), 'assistant')];
    await application.commands.execute(new AppendMessages(ref, messages, caller));
    const { revision } = await application.commands.execute(new CompleteTurn(ref, 'end_turn', caller));
    return { application, before, after: await typesOf(application), revision };
  };

  it('requests a compaction at the end of the turn if the profile checks its trigger there', async () => {
    const { before, after, revision } = await filled('tail');
    expect(before).not.toContain('CompactionRequested');
    expect(after.slice(-3)).toEqual(['TurnCompleted', 'CompactionThresholdHit', 'CompactionRequested']);
    expect(revision).toBe(after.length - 1);
  });

  it('requests no compaction if the profile checks its trigger at the next request', async () => {
    const { after } = await filled('tail', { triggerCheck: 'request' });
    expect(after.at(-1)).toBe('TurnCompleted');
  });

  it('repeated after a crash requests the missing compaction once', async () => {
    const { application, after } = await filled('tail');
    await application.commands.execute(new CompleteTurn(ref, 'end_turn', caller));
    expect(await typesOf(application)).toEqual(after);
  });
});
