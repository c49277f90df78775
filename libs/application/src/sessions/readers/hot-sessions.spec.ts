import { Revision, SessionId, sessionStream, TenantId } from '@app/kernel';
import { openApplication, openMemoryLog, openSession, playTurns, sessionRef } from '@app/testing';
import type { Loaded } from '../decisions.js';
import { HotSessions } from './hot-sessions.js';

const stream = (name: string) => sessionStream(TenantId('acme'), SessionId(name));
/** A thousand tokens each, since nothing is in it. */
const empty: Loaded = { state: { status: 'absent' }, revision: Revision(0) };

describe('the session cache', () => {
  const heldOf = (hot: HotSessions, ...names: string[]) =>
    names.filter((name) => hot.get(stream(name)) !== undefined);

  it('keeps the most recently used sessions up to its size', () => {
    const hot = new HotSessions(3_000);
    for (const name of ['a', 'b', 'c', 'a', 'd']) hot.keep(stream(name), empty);
    expect(heldOf(hot, 'a', 'b', 'c', 'd')).toEqual(['a', 'c', 'd']);
    hot.forget(stream('c'));
    hot.keep(stream('b'), empty);
    expect(heldOf(hot, 'a', 'b', 'd')).toEqual(['a', 'b', 'd']);
  });

  it('counts the weight of messages and always keeps the newest session', async () => {
    const application = openApplication(openMemoryLog());
    const ref = sessionRef();
    await openSession(application, ref);
    await playTurns(application, ref, 0, 10);
    const large = await application.sessions.load(ref);
    const hot = new HotSessions(3_000);
    hot.keep(stream('a'), empty);
    hot.keep(stream('large'), large);
    expect(heldOf(hot, 'a', 'large')).toEqual(['large']);
  });
});
