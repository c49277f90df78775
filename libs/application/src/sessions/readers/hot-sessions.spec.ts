import { Revision, SessionId, sessionStream, TenantId } from '@app/kernel';
import { openApplication, openMemoryLog, openSession, playTurns, sessionRef } from '@app/testing';
import type { Loaded } from '../decisions.js';
import { hotSessions } from './hot-sessions.js';

const stream = (name: string) => sessionStream(TenantId('acme'), SessionId(name));
/** A thousand tokens each, since nothing is in it. */
const empty: Loaded = { state: { status: 'absent' }, revision: Revision(0) };

describe('the session cache', () => {
  const heldOf = (hot: ReturnType<typeof hotSessions>, ...names: string[]) =>
    names.filter((name) => hot.get(stream(name)) !== undefined);

  it('counts the weight of messages and always keeps the newest session', async () => {
    const application = openApplication(openMemoryLog());
    const ref = sessionRef();
    await openSession(application, ref);
    await playTurns(application, ref, 0, 10);
    const large = await application.sessions.load(ref);
    const hot = hotSessions(3_000);
    hot.set(stream('a'), empty);
    hot.set(stream('large'), large);
    expect(heldOf(hot, 'a', 'large')).toEqual(['large']);
  });
});
