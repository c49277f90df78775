import { PalimpsestClient, PalimpsestError } from '@app/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer, KEY } from '../support/api-server.js';

const YEAR_MS = 365 * 86_400_000;
const inYears = (years: number): string => new Date(Date.now() + years * YEAR_MS).toISOString();

/** Guarantee: no path through the API shortens a period in the mode `compliance`, and a hold has no end of its own. */
describe('retention periods and legal holds over HTTP', () => {
  let api: ApiServer;
  let admin: PalimpsestClient;
  let operator: PalimpsestClient;
  let agent: PalimpsestClient;
  beforeAll(async () => {
    api = await ApiServer.start();
    admin = new PalimpsestClient({ url: api.url, apiKey: KEY });
    const keyOf = async (role: 'operator' | 'agent') => (await admin.keys.issue({ role, label: role })).key;
    operator = new PalimpsestClient({ url: api.url, apiKey: await keyOf('operator') });
    agent = new PalimpsestClient({ url: api.url, apiKey: await keyOf('agent') });
  });
  afterAll(() => api.stop());

  const opened = async (session: string): Promise<string> => {
    await admin.sessions.open({ session, window: 20_000 });
    return session;
  };
  const codeOf = async (call: Promise<unknown>): Promise<string> => {
    try {
      await call;
      return 'done';
    } catch (error) {
      if (error instanceof PalimpsestError) return error.code;
      throw error;
    }
  };

  it('lengthen a period in the mode compliance, and refuse everything else with its date', async () => {
    const session = await opened('compliance');
    const until = inYears(7);
    await operator.retention.set(session, { mode: 'compliance', until });
    const less = { until: inYears(6), reason: 'a test' };
    expect(await codeOf(admin.retention.set(session, { mode: 'compliance', ...less }))).toBe(
      'retention-locked',
    );
    const weaker = { mode: 'governance', until: inYears(8), reason: 'a test' } as const;
    expect(await codeOf(admin.retention.set(session, weaker))).toBe('retention-locked');
    await expect(admin.retention.remove(session, 'a test')).rejects.toThrow(until);
    const later = inYears(8);
    await operator.retention.set(session, { mode: 'compliance', until: later });
    expect(await operator.retention.get(session)).toMatchObject({
      period: { mode: 'compliance', until: later },
      barrier: { kind: 'retention', until: later },
    });
  });

  it('shorten a period in the mode governance with permission and reason', async () => {
    const session = await opened('governance');
    await operator.retention.set(session, { mode: 'governance', until: inYears(7) });
    const less = { mode: 'governance', until: inYears(1) } as const;
    expect(await codeOf(operator.retention.set(session, { ...less, reason: 'a test' }))).toBe(
      'retention-locked',
    );
    expect(await codeOf(admin.retention.set(session, less))).toBe('retention-locked');
    expect(await admin.retention.set(session, { ...less, reason: 'a test' })).toEqual(less);
    expect(await admin.retention.remove(session, 'a test')).toEqual({ removed: true });
    expect(await admin.retention.remove(session, 'a test')).toEqual({ removed: false });
    expect(await admin.retention.get(session)).toMatchObject({ period: null, barrier: null });
  });

  it('hold a session for a matter until it is released, and list it', async () => {
    const session = await opened('held');
    await operator.retention.hold(session, 'case-17', 'litigation');
    await operator.retention.hold(session, 'case-17', 'again');
    await operator.retention.hold(session, 'case-18', 'another');
    expect(await agent.retention.holds(session)).toMatchObject({
      holds: [
        { matter: 'case-17', reason: 'litigation' },
        { matter: 'case-18', reason: 'another' },
      ],
    });
    await admin.sessions.close(session, 'done');
    expect(await codeOf(operator.retention.release(session, 'case-19', 'a test'))).toBe('hold-not-found');
    const left = await operator.retention.release(session, 'case-17', 'settled');
    expect(left.holds.map(({ matter }) => matter)).toEqual(['case-18']);
    const audited = await audit(session);
    expect(audited).toMatchObject({ payload: { matter: 'case-17', reason: 'settled' } });
    const { items } = await admin.retention.heldPage({ matter: 'case-18' });
    expect(items.map((item) => item.session)).toEqual([session]);
    expect((await admin.retention.heldPage({ matter: 'case-17' })).items).toEqual([]);
  });

  it('refuse agents, who write the sessions', async () => {
    const session = await opened('of-an-agent');
    expect(await codeOf(agent.retention.hold(session, 'case-1', 'a test'))).toBe('forbidden');
    const period = { mode: 'compliance', until: inYears(1) } as const;
    expect(await codeOf(agent.retention.set(session, period))).toBe('forbidden');
  });

  it.each([
    ['a mode that does not exist', { mode: 'legal', until: inYears(1) }],
    ['a day that does not exist', { mode: 'governance', until: '2033-02-30' }],
    ['a date without a mode', { until: inYears(1) }],
  ])('refuse %s', async (_, body) => {
    const { status } = await api.call('PUT', '/v1/sessions/compliance/retention', body);
    expect(status).toBe(400);
  });

  it('keep new sessions by the defaults of their tenant and profile', async () => {
    const defaults = {
      default: { mode: 'compliance', days: 2_555 },
      profiles: { minimal: { mode: 'governance', days: 30 }, archivist: null },
    } as const;
    expect(await codeOf(operator.retention.setDefaults(defaults))).toBe('forbidden');
    expect(await admin.retention.setDefaults(defaults)).toEqual(defaults);
    await admin.sessions.open({ session: 'by-default', window: 20_000 });
    const { period } = await admin.retention.get('by-default');
    expect(period).toMatchObject({ mode: 'compliance', days: 2_555 });
    expect(Date.parse(period?.until ?? '') - Date.now()).toBeGreaterThan(2_554 * 86_400_000);
    await admin.sessions.fork('by-default', { as: 'its-fork' });
    expect((await admin.retention.get('its-fork')).period).toMatchObject({ mode: 'compliance', days: 2_555 });
    await admin.retention.setDefaults({ default: null, profiles: {} });
  });

  /** Returns the audit row of the release, once it is projected. */
  const audit = async (session: string): Promise<unknown> => {
    const [row] = (await admin.audit.page({ session, type: 'LegalHoldReleased' })).items;
    return row ?? audit(session);
  };
});
