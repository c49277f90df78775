import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer } from './support/api-server.js';

const TURNS = 36;
const WINDOW = 6_000;
const words = (seed: number, count: number): string =>
  Array.from(
    { length: count },
    (_, at) => ['path', 'src', 'table', 'index', 'port', 'queue'][(seed + at * 7) % 6],
  ).join(' ');

type Run = {
  readonly contexts: readonly string[];
  readonly facts: readonly string[];
  readonly requested: readonly string[];
};

/** Guarantee: the deterministic profile returns the same bytes for the same calls, at any speed of its worker. */
describe('deterministic profile', () => {
  let api: ApiServer;
  beforeAll(async () => {
    api = await ApiServer.start();
  });
  afterAll(() => api.stop());

  /** Plays a conversation whose caller waits for no compaction. */
  const play = async (tenant: string): Promise<Run> => {
    const { body } = await api.call('POST', '/v1/tenants', { tenant, name: tenant });
    const headers = { authorization: `Bearer ${Object(body).key}` };
    const call = async (method: string, path: string, given?: unknown) => {
      const { status, body: said } = await api.call(method, path, given, headers);
      expect([path, status < 300]).toEqual([path, true]);
      return said;
    };
    await call('POST', '/v1/sessions', {
      session: 'same',
      profile: 'deterministic',
      window: WINDOW,
      system: 'Be brief.',
    });
    const contexts: string[] = [];
    let count = 0;
    // IDs that the service derives are keyed by the tenant, and summaries cite them.
    const append = (messages: readonly object[], more: object = {}) => {
      const named = messages.map((message) => {
        count += 1;
        return { id: `m-${count}`, ...message };
      });
      return call('POST', '/v1/sessions/same/messages', { messages: named, ...more });
    };
    for (let turn = 1; turn <= TURNS; turn += 1) {
      await append([
        { role: 'user', content: `Turn ${turn}: must not touch src/keep-${turn}.ts. ${words(turn, 90)}` },
      ]);
      const composed: { body?: string; digest?: string } = Object(
        await call('POST', '/v1/sessions/same/compose', { withBody: true }),
      );
      contexts.push(`${composed.digest} ${composed.body}`);
      const steps = [
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: `c${turn}`, name: 'read', input: { path: `src/f${turn}.ts` } }],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: `c${turn}`, content: words(turn * 3, 160) }],
        },
      ];
      await append(steps);
      // Appended at once: before or after the worker has begun.
      await append([{ role: 'assistant', content: `Done with ${turn}. ${words(turn * 5, 40)}` }], {
        stopReason: 'end_turn',
      });
    }
    const last = Object(await call('POST', '/v1/sessions/same/compose', {}));
    contexts.push(`${last.digest} ${last.body}`);
    const events: { type: string; data: Record<string, unknown> }[] = String(
      await call('GET', '/v1/sessions/same/events'),
    )
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    const of = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data);
    return {
      contexts,
      facts: of('CompactionCompleted').map(({ compactionId, summary, covered, cut, target }) =>
        JSON.stringify({ compactionId, summary, covered, cut: Object(cut).messageId, target }),
      ),
      requested: of('CompactionRequested').map(({ compactionId, plan, occupancy }) =>
        JSON.stringify({
          compactionId,
          occupancy,
          messages: Object(plan).messages,
          cut: Object(Object(plan).cut).messageId,
        }),
      ),
    };
  };

  // Holds rule 6.3.
  it('composes the same bytes and compactions for the same calls in three sessions', async () => {
    const alone = await play('first');
    // Two at a time, so that their workers interleave.
    const [second, third] = await Promise.all([play('second'), play('third')]);
    expect(alone.facts.length).toBeGreaterThan(2);
    for (const run of [second, third]) expect(run).toEqual(alone);
  });
});
