import { expect, it } from '@jest/globals';
import { COMPLAINTS, verdictsOn } from '../support/frameworks/complaints/complaints.js';
import { Stage } from '../support/frameworks/complaints/run.js';
import { FRAMEWORKS } from '../support/frameworks/frameworks.js';
import { install } from '../support/frameworks/install.js';

/** The other columns of the table: `npm run complaints`. */
it('gives no cause for the ten complaints in an agent of the Vercel AI SDK', async () => {
  const framework = FRAMEWORKS.find(({ name }) => name === 'vercel-ai');
  const installed = framework && (await install(framework));
  if (!installed) return;
  const stage = await Stage.open();
  const verdicts = await verdictsOn(await stage.play(installed));
  expect(Object.fromEntries(COMPLAINTS.map(({ name }, at) => [name, verdicts[at]]))).toEqual(
    Object.fromEntries(COMPLAINTS.map(({ name }) => [name, undefined])),
  );
  await stage.close();
});
