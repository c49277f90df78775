import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerWith, isSignedWith, Receiver } from '../../contract/webhooks/support/receiver.js';
import type { Caller, Service } from '../support/service.js';

type Registered = { readonly webhookId: string; readonly secret: string };
type Deliveries = { readonly items: readonly { readonly delivery: string; readonly type: string }[] };

/** Guarantee: events of a tenant arrive at its webhooks, signed and in order per session. */
export const webhookTests = (service: () => Service): void =>
  describe('webhooks', () => {
    let api: Caller;
    let receiver: Receiver;
    beforeAll(async () => {
      receiver = await Receiver.start();
      api = await service().tenant('webhooks');
    });
    afterAll(() => receiver.stop());

    const register = async (body: object): Promise<Registered> => {
      const answer = await api.call('POST', '/v1/webhooks', body);
      expect(answer.status).toBe(201);
      return answer.body as Registered;
    };
    const deadLetters = async (webhookId: string) =>
      (await api.call('GET', `/v1/webhooks/${webhookId}/deliveries?state=dead`)).body as Deliveries;

    it('receive events in order, and show their secret once', async () => {
      const { webhookId, secret } = await register({
        url: receiver.url,
        types: ['SessionOpened', 'MessageAppended'],
      });
      await api.call('POST', '/v1/sessions', { session: 'hooked' });
      const messages = ['one', 'two'].map((content) => ({ role: 'user', content }));
      await api.call('POST', '/v1/sessions/hooked/messages', { messages });
      await receiver.until((received) => received.length === 3);
      expect(receiver.received.map(({ event }) => event.type)).toEqual([
        'palimpsest.SessionOpened',
        'palimpsest.MessageAppended',
        'palimpsest.MessageAppended',
      ]);
      expect(receiver.received.every((one) => isSignedWith(secret, one))).toBe(true);
      const shown = await api.call('GET', `/v1/webhooks/${webhookId}`);
      expect(shown).toMatchObject({ status: 200, body: { webhookId, url: receiver.url, content: 'none' } });
      expect(JSON.stringify([shown.body, (await api.call('GET', '/v1/webhooks')).body])).not.toContain(
        'whsec_',
      );
      expect((await api.call('DELETE', `/v1/webhooks/${webhookId}`)).status).toBe(200);
      expect((await api.call('GET', `/v1/webhooks/${webhookId}`)).body).toMatchObject({
        code: 'webhook-not-found',
      });
    });

    it('are limited to twenty', async () => {
      const many = await service().tenant('many');
      const statuses: number[] = [];
      for (let at = 0; at < 21; at += 1)
        statuses.push((await many.call('POST', '/v1/webhooks', { url: receiver.url })).status);
      expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 409]);
    });

    it('can be tested, changed, and rotated with an overlap of secrets', async () => {
      receiver.reset();
      const { webhookId, secret } = await register({ url: receiver.url, sessions: ['none'] });
      const at = `/v1/webhooks/${webhookId}`;
      const rotated = (await api.call('POST', `${at}/rotate-secret`, { overlapSeconds: 60 }))
        .body as Registered;
      expect((await api.call('POST', `${at}/test`, {})).body).toEqual({ delivered: true, outcome: '204' });
      const [tried] = receiver.received;
      expect(tried?.event.type).toBe('palimpsest.WebhookTest');
      expect(tried && [secret, rotated.secret].map((one) => isSignedWith(one, tried))).toEqual([true, true]);
      const changed = await api.call('PATCH', at, { url: `${receiver.url}/other` });
      expect(changed.body).toMatchObject({ url: `${receiver.url}/other`, sessions: ['none'] });
      expect(changed.status).toBe(200);
    });

    it('list undelivered events, and resend them', async () => {
      receiver.reset();
      receiver.answering = answerWith(410);
      const { webhookId } = await register({
        url: receiver.url,
        sessions: ['refused'],
        types: ['SessionOpened'],
      });
      await api.call('POST', '/v1/sessions', { session: 'refused' });
      let dead = await deadLetters(webhookId);
      while (dead.items.length === 0) {
        await pause(20);
        dead = await deadLetters(webhookId);
      }
      receiver.reset();
      const [letter] = dead.items;
      const at = `/v1/webhooks/${webhookId}/deliveries/${letter?.delivery}/replay`;
      expect((await api.call('POST', at, {})).body).toMatchObject({ state: 'pending', attempts: 0 });
      await receiver.until((received) => received.length === 1);
      expect(receiver.received[0]?.id).toBe(`${webhookId}-${letter?.delivery}`);
      expect((await deadLetters(webhookId)).items).toEqual([]);
    });
  });
