import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller, Service } from '../support/service.js';

type Composed = { readonly requestId: string; readonly occupancy: number; readonly body: string };
type Sizes = {
  readonly compactionId: string;
  readonly countedBefore: number;
  readonly countedAfter: number;
  readonly billedBefore: number;
  readonly billedAfter: number;
};
type Taken = { readonly recorded: boolean; readonly countsFor: string; readonly occupancy: number };

/** Bills in all orders: with the answer, late, duplicate, and after changes of the context. */
export const billTests = (service: () => Service): void =>
  describe('usage report', () => {
    let api: Caller;
    beforeAll(async () => {
      api = await service().tenant('bills');
    });

    const post = (path: string, body: unknown = {}) => api.call('POST', `/v1/sessions${path}`, body);
    const get = (path: string) => api.call('GET', `/v1/sessions${path}`);
    type Logged = { readonly type: string; readonly data: Record<string, unknown> };
    /** Returns the events of a session of one type. */
    const eventsOf = async (session: string, type: string): Promise<readonly Record<string, unknown>[]> => {
      const { body } = await get(`/${session}/events`);
      const lines = String(body).trim().split('\n');
      return lines
        .map((line) => JSON.parse(line) as Logged)
        .flatMap((one) => (one.type === type ? [one.data] : []));
    };
    const words = (tokens: number, seed: string): string => `${seed}: ${'so it goes on '.repeat(tokens / 4)}`;
    /** Returns the bill of a provider whose tokenizer differs by a quarter, with an overhead of 900 tokens. */
    const billOf = (request: string) => Math.round(request.length / 2.8) + 900;
    const composed = async (session: string): Promise<Composed> => {
      const { status, body } = await post(`/${session}/compose`, { withBody: true });
      expect({ status, body }).toMatchObject({ status: 200 });
      return body as Composed;
    };
    const given = async (session: string, turns: number, settings: object = {}) => {
      await post('', { session, window: 50_000, ...settings });
      const messages = Array.from({ length: turns }, (_, turn) => [
        { role: 'user', content: words(300, `question ${turn}`) },
        { role: 'assistant', content: words(2_000, `answer ${turn}`) },
      ]).flat();
      await post(`/${session}/messages`, { messages, stopReason: 'end_turn' });
    };
    const ask = (session: string) =>
      post(`/${session}/messages`, { messages: [{ role: 'user', content: `And now? ${session}` }] });
    const usage = (inputTokens: number, requestId?: string) => ({
      usage: { inputTokens, outputTokens: 10, ...(requestId !== undefined && { requestId }) },
    });

    it.each(['named', 'unnamed'])(
      'that is %s counts for cost only after its context was compacted',
      async (by) => {
        const session = `compacted-${by}`;
        await given(session, 8);
        await ask(session);
        const { requestId, body } = await composed(session);
        const { body: outcome } = await post(`/${session}/compactions?wait=true`);
        expect(outcome).toMatchObject({ outcome: 'completed' });
        const { billedAfter } = outcome as { readonly billedAfter: number };
        const answered = await post(`/${session}/messages`, {
          messages: [{ role: 'assistant', content: 'Done.' }],
          ...usage(billOf(body), by === 'named' ? requestId : undefined),
        });
        const { occupancy } = answered.body as { readonly occupancy: number };
        expect(occupancy).toBeLessThan(billedAfter + 100);
        const bills = await eventsOf(session, 'UsageReported');
        expect(bills).toMatchObject([{ requestId, countsFor: 'cost' }]);
        expect(bills[0]).not.toHaveProperty('calibration');
      },
    );

    it('from before a reset does not undo the reset', async () => {
      await given('reset', 16);
      await ask('reset');
      const { body } = await composed('reset');
      await post('/reset/reset', { confirm: true });
      await post('/reset/messages', {
        messages: [{ role: 'assistant', content: 'Late.' }],
        ...usage(billOf(body)),
      });
      await ask('reset');
      const next = await composed('reset');
      expect(next).toMatchObject({ state: 'normal', banner: null });
      expect(next.occupancy).toBeLessThan(1_000);
    });

    it('is accepted late, once, and for the messages of its request only', async () => {
      await given('late', 2);
      await ask('late');
      const { requestId } = await composed('late');
      await post('/late/messages', { messages: [{ role: 'user', content: words(500, 'meanwhile') }] });
      const { body: before } = await post('/late/messages', {
        messages: [{ role: 'assistant', content: 'Yes.' }],
        stopReason: 'end_turn',
      });
      const first = await post('/late/usage', usage(9_000, requestId));
      expect(first).toMatchObject({
        status: 200,
        body: { recorded: true, requestId, countsFor: 'occupancy' },
      });
      const { occupancy } = first.body as Taken;
      // Messages between compose and answer are estimated on top of the bill.
      expect(occupancy).toBeGreaterThan(9_010 + 300);
      expect(occupancy).not.toBe((before as { readonly occupancy: number }).occupancy);
      for (const again of [usage(9_000, requestId), usage(20_000)]) {
        expect(await post('/late/usage', again)).toMatchObject({ body: { recorded: false, occupancy } });
      }
    });

    it('for a request of an earlier context is matched from the log, and one for no request is an error', async () => {
      await given('older', 8);
      await ask('older');
      const { requestId } = await composed('older');
      for (let turn = 0; turn < 20; turn += 1) {
        await post('/older/messages', { messages: [{ role: 'assistant', content: `Step ${turn}.` }] });
        await ask('older');
        await composed('older');
      }
      await post('/older/compactions?wait=true');
      expect(await post('/older/usage', usage(30_000, requestId))).toMatchObject({
        status: 200,
        body: { recorded: true, requestId, countsFor: 'cost' },
      });
      expect(await post('/older/usage', usage(30_000, requestId))).toMatchObject({
        body: { recorded: false },
      });
      expect(await post('/older/usage', usage(30_000, 'req-3-0123456789ab'))).toMatchObject({
        status: 404,
        body: { code: 'request-not-found' },
      });
    });

    it.each(['pivot', 'core'])(
      'calibrates %s for the next request, with compactions in the background',
      async (profile) => {
        const session = `loop-${profile}`;
        await post('', { session, window: 50_000, profile });
        const errors: number[] = [];
        for (let turn = 0; turn < 14; turn += 1) {
          const asked = { role: 'user', content: words(5_200, `turn ${turn}`) };
          await post(`/${session}/messages`, { messages: [asked] });
          const { requestId, occupancy, body } = await composed(session);
          const billed = billOf(body);
          errors.push(Math.abs(occupancy - billed) / billed);
          const answer = { role: 'assistant', content: `Turn ${turn} is done.` };
          await post(`/${session}/messages`, {
            ...{ messages: [answer], stopReason: 'end_turn' },
            ...usage(billed, turn % 2 === 0 ? requestId : undefined),
          });
        }
        expect(errors.slice(3).filter((share) => share > 0.02)).toEqual([]);
        const completed = (await eventsOf(session, 'CompactionCompleted')).map(({ turn }) => Number(turn));
        const pauses = completed.map((turn, at, all) => turn - (all[at - 1] ?? -9));
        expect(pauses.filter((pause) => pause < 2)).toEqual([]);
      },
    );

    it('and counts of a compaction agree in every view', async () => {
      await given('meters', 8);
      await ask('meters');
      const { requestId, body } = await composed('meters');
      await post('/meters/messages', {
        ...{ messages: [{ role: 'assistant', content: 'Done.' }], stopReason: 'end_turn' },
        ...usage(billOf(body), requestId),
      });
      const { body: outcome } = await post('/meters/compactions?wait=true');
      const { compactionId, countedBefore, countedAfter, billedBefore, billedAfter } = outcome as Sizes;
      const sizes = { countedBefore, countedAfter, billedBefore, billedAfter };
      expect(billedBefore / countedBefore).toBeGreaterThan(1.1);
      expect(billedAfter / countedAfter).toBeGreaterThan(1.1);
      const explained = await get(`/meters/compactions/${compactionId}`);
      expect(explained.body).toMatchObject({ verified: sizes });
      for (const type of ['CompactionCompleted', 'CompactionApplied'])
        expect(await eventsOf('meters', type)).toMatchObject([sizes]);
      const { body: reverted } = await post('/meters/revert', { compactionId });
      expect(reverted).toMatchObject({
        billedBefore: billedAfter,
        countedBefore: countedAfter,
        countedAfter: countedBefore,
      });
    });
  });
