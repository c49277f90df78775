import { extractiveSummarizer } from '@app/adapters/summarizer-extractive';
import { MODEL_PROVIDERS } from '@app/domain';
import { quarterCounter } from '@app/testing';
import { answer, type FailureName, fail, type Reply } from '@app/testing/providers';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Metrics } from '../../../libs/platform/src/telemetry/metrics.js';
import { observeSummarizer } from '../../../libs/platform/src/telemetry/observe-summarizer.js';
import { GOOD, KEY, type Provider, startProvider } from './support/providers.js';
import { compacted, playedSession } from './support/running.js';

const CONTENT = 'planted-content-4711';
const FAILURES: readonly FailureName[] = [
  'overflow',
  'too-large',
  'bad-request',
  'unauthorized',
  'rate-limited',
  'server-error',
  'overloaded',
  'html',
  'half-json',
  'hangs-up',
];
const OUTPUTS = ['log', 'info', 'warn', 'error', 'debug'] as const;

/** Guarantee: no log, error, event or metric contains a key, and only the summary contains content. */
describe.each(MODEL_PROVIDERS)('traces of a summarizer on %s', (name) => {
  let provider: Provider;
  const written: string[] = [];
  beforeAll(async () => {
    provider = await startProvider(name);
    // The providers' clients read their log level from these.
    Object.assign(process.env, { ANTHROPIC_LOG: 'debug', OPENAI_LOG: 'debug' });
    for (const output of OUTPUTS)
      jest.spyOn(console, output).mockImplementation((...said) => void written.push(JSON.stringify(said)));
    for (const stream of [process.stdout, process.stderr])
      jest.spyOn(stream, 'write').mockImplementation((said) => written.push(String(said)) > 0);
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    Reflect.deleteProperty(process.env, 'ANTHROPIC_LOG');
    Reflect.deleteProperty(process.env, 'OPENAI_LOG');
    await provider.server.close();
  });

  const leftBy = async (...replies: readonly Reply[]) => {
    const metrics = new Metrics();
    const observed = observeSummarizer(provider.summarizer, metrics);
    const application = await playedSession({ maxAttempts: 1 });
    provider.server.reply(...replies);
    const { events } = await compacted(application, [observed], {
      facts: extractiveSummarizer(quarterCounter),
    });
    return { events, metrics: await metrics.text() };
  };

  it('contain no key and no text after a failed call, for any answer of the provider', async () => {
    for (const failure of FAILURES) {
      const words = `${CONTENT} ${KEY}`;
      const message = failure === 'overflow' ? `prompt is too long: ${words}` : words;
      const { events, metrics } = await leftBy(fail(failure, { message }));
      expect(events.some(({ type }) => type === 'CompactionAttemptFailed')).toBe(true);
      expect(JSON.stringify(events)).not.toContain(CONTENT);
      for (const text of [JSON.stringify(events), metrics, written.join('\n')])
        expect(text.includes(KEY) || text.includes(CONTENT)).toBe(false);
    }
  });

  it('contain no key after a successful call, and text in the summary only', async () => {
    const { events, metrics } = await leftBy(answer(`${GOOD}\n${CONTENT}`));
    const holding = events.filter((event) => JSON.stringify(event).includes(CONTENT));
    expect(holding.map(({ type }) => type)).toEqual(['CompactionCompleted']);
    for (const text of [metrics, written.join('\n')]) expect(text.includes(CONTENT)).toBe(false);
    for (const text of [JSON.stringify(events), metrics, written.join('\n')])
      expect(text.includes(KEY)).toBe(false);
  });
});
