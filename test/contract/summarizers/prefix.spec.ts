import Anthropic from '@anthropic-ai/sdk';
import { anthropicSummarizer } from '@app/adapters/summarizer-anthropic';
import { AppendMessages, ChangeSettings, GetContext, GetContextHandler, OpenSession } from '@app/application';
import type { Message, MODEL_PROVIDERS, Usage, WireFormat } from '@app/domain';
import { MessageId } from '@app/kernel';
import {
  type Application,
  call,
  caller,
  openApplication,
  openMemoryLog,
  playTurns,
  result,
  sessionRef,
  textMessage,
} from '@app/testing';
import { answer, fail } from '@app/testing/providers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { baseUrlAt, GOOD, KEY, type Provider, startProvider } from './support/providers.js';
import { compacted } from './support/running.js';

type Name = (typeof MODEL_PROVIDERS)[number];
const FORMAT = { anthropic: 'anthropic', 'openai-chat': 'openai-chat' } as const;
const TOOLS = [{ name: 'read', description: 'Reads a file.', input_schema: { type: 'object' } }];

/** A long session with tools, whose policy is to summarize behind its own request. */
const longSession = async (model: string): Promise<Application> => {
  const application = openApplication(openMemoryLog());
  const settings = { profile: 'core', window: 60_000, systemPrompt: 'Be brief. '.repeat(40), labels: {} };
  await application.commands.execute(
    new OpenSession(sessionRef(), { model, tools: TOOLS, ...settings }, caller),
  );
  await playTurns(application, sessionRef(), 0, 60);
  const overrides = { summaryInput: 'prefix' };
  await application.commands.execute(new ChangeSettings(sessionRef(), { overrides }, caller));
  return application;
};
const say = ({ commands }: Application, message: Message): Promise<unknown> =>
  commands.execute(new AppendMessages(sessionRef(), [message], caller));
const requestOf = async ({ sessions }: Application, format: WireFormat) => {
  const context = await new GetContextHandler({ sessions }).execute(new GetContext(sessionRef(), format));
  return JSON.parse(JSON.stringify(context.request));
};

/** Sends the session's next request through the provider's client, as its agent does. */
const asAgent = async (application: Application, { name, server }: Provider): Promise<void> => {
  const options = { apiKey: KEY, baseURL: baseUrlAt(name, server.url), maxRetries: 0 };
  server.reply(answer('Noted.'));
  if (name === 'anthropic') {
    const body = await requestOf(application, 'anthropic');
    await new Anthropic(options).messages.create({ ...body, cache_control: { type: 'ephemeral' } });
    return;
  }
  await new OpenAI(options).chat.completions.create(await requestOf(application, 'openai-chat'));
};
const shareRead = ({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number =>
  cacheReadTokens / (inputTokens + cacheReadTokens + cacheWriteTokens);

/** Guarantee: a summary behind the session's own request pays for little more than its instruction. */
describe.each<Name & keyof typeof FORMAT>(['anthropic', 'openai-chat'])(
  'summary behind the request of %s',
  (name) => {
    let provider: Provider;
    beforeAll(async () => {
      provider = await startProvider(name);
    });
    afterAll(() => provider.server.close());
    beforeEach(() => provider.server.forget());

    // Holds rule 5.91.
    it('reads at least 85 % of its input from the cache in a long session, and reports it', async () => {
      const application = await longSession(provider.model);
      await say(application, textMessage('ask', 'And what is next?'));
      await asAgent(application, provider);
      await say(application, textMessage('told', 'Noted.', 'assistant'));
      await playTurns(application, sessionRef(), 60, 62);
      provider.server.reply(answer(GOOD));
      const { completed } = await compacted(application, [provider.summarizer]);
      expect(completed?.usage && shareRead(completed.usage)).toBeGreaterThanOrEqual(0.85);
      expect(provider.server.requests[1]?.status).toBe(200);
    });

    it('repeats system prompt, tools and messages, and names the retained messages and the form of quotes', async () => {
      const application = await longSession(provider.model);
      provider.server.reply(answer(GOOD));
      await compacted(application, [provider.summarizer]);
      const text = provider.server.requests[0]?.text ?? '';
      expect(text).toContain('Be brief. Be brief.');
      expect(text).toContain('Reads a file.');
      expect(text).toContain('first-kept');
      expect(text).toContain('- [q3] begins: question 3');
      expect(text).not.toContain('<transcript>');
    });

    it('falls back to parts of a transcript if the request does not fit', async () => {
      const application = await longSession(provider.model);
      provider.server.reply(fail('overflow'), answer(GOOD));
      const { completed } = await compacted(application, [provider.summarizer]);
      expect(completed?.attempt).toBe(1);
      expect(provider.server.requests[1]?.text).toContain('<transcript>');
    });

    it('is a valid request while a tool call waits for its result', async () => {
      const application = await longSession(provider.model);
      const waiting = { id: MessageId('waits'), role: 'assistant' as const, blocks: [call('t1')] };
      const answered = { id: MessageId('read'), role: 'user' as const, blocks: [result('t1', 'found')] };
      await application.commands.execute(new AppendMessages(sessionRef(), [waiting, answered], caller));
      const open = { id: MessageId('open'), role: 'assistant' as const, blocks: [call('t2')] };
      await application.commands.execute(new AppendMessages(sessionRef(), [open], caller));
      provider.server.reply(answer(GOOD));
      const { completed, failed } = await compacted(application, [provider.summarizer]);
      expect(failed).toEqual([]);
      expect(completed?.summary).toBe(GOOD);
    });
  },
);

describe('summary by another model than the session’s', () => {
  it('uses a transcript: that model’s cache has nothing of the session', async () => {
    const provider = await startProvider('anthropic');
    const { server, model } = provider;
    const other = anthropicSummarizer({ apiKey: KEY, baseUrl: server.url, model, isSessionModel: false });
    server.reply(answer(GOOD));
    await compacted(await longSession('claude-opus-5-5'), [other]);
    expect(server.requests[0]?.text).toContain('<transcript>');
    await server.close();
  });
});
