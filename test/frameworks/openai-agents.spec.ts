import { PalimpsestClient } from '@app/client';
import { startEmbedded } from '@app/deployments';
import { expect, it } from '@jest/globals';
import { FRAMEWORKS } from '../support/frameworks/frameworks.js';
import { install } from '../support/frameworks/install.js';
import { bundleSample, runSample } from '../support/frameworks/run-sample.js';

const PROGRAM = `
import { palimpsest } from '@palimpsest/adapters/openai-agents';
const opened = () => palimpsest({ session: 'kept', window: 16_000 }).session;
const textsOf = async (session) => (await session.getItems()).map(({ content }) => [content].flat()[0]?.text ?? content);
const cleared = opened();
await cleared.clearSession();
await cleared.addItems([{ role: 'user', content: 'New.' }]);
console.log(JSON.stringify([await textsOf(opened()), await textsOf(cleared)]));
`;

/** The parts of the adapter that a run of its sample (agents.spec.ts) does not show. */
it('loads the items of an earlier process into a session of the OpenAI Agents SDK, unless that is cleared', async () => {
  const framework = FRAMEWORKS.find(({ name }) => name === 'openai-agents');
  const installed = framework && (await install(framework));
  if (!installed) return;
  const service = await startEmbedded();
  const client = new PalimpsestClient({ url: service.url, apiKey: service.adminKey });
  await client.sessions.open({ session: 'kept', window: 16_000 });
  await client.sessions.append('kept', {
    messages: [
      { role: 'user', content: 'Old.' },
      { role: 'assistant', content: 'Read.' },
    ],
  });
  const program = await bundleSample(installed, { name: 'session', edit: () => PROGRAM });
  const env = { PALIMPSEST_URL: service.url, PALIMPSEST_API_KEY: service.adminKey, OPENAI_API_KEY: 'any' };
  const { stdout, stderr } = await runSample(installed, program, [], env);
  await service.stop();
  expect(stdout === '' ? stderr : JSON.parse(stdout)).toEqual([['Old.', 'Read.'], ['New.']]);
});
