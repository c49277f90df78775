import { PalimpsestClient } from '@app/client';
import { startEmbedded } from '@app/deployments';
import { expect, it } from '@jest/globals';
import { COMPLAINTS, verdictsOn } from '../support/frameworks/complaints/complaints.js';
import { Model, play } from '../support/frameworks/complaints/run.js';
import { FRAMEWORKS } from '../support/frameworks/frameworks.js';
import { install } from '../support/frameworks/install.js';

/** The other columns of the table: `npm run complaints`. */
it('gives no cause for the ten complaints in an agent of the Vercel AI SDK', async () => {
  const framework = FRAMEWORKS.find(({ name }) => name === 'vercel-ai');
  const installed = framework && (await install(framework));
  if (!installed) return;
  const model = await Model.start();
  const service = await startEmbedded();
  const client = new PalimpsestClient({ url: service.url, apiKey: service.adminKey });
  const stage = { model, client, url: service.url, apiKey: service.adminKey };
  const verdicts = await verdictsOn(await play(installed, stage));
  expect(Object.fromEntries(COMPLAINTS.map(({ name }, at) => [name, verdicts[at]]))).toEqual(
    Object.fromEntries(COMPLAINTS.map(({ name }) => [name, undefined])),
  );
  await service.stop();
  await model.server.close();
});
