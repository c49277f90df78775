import { describeEmbedded, useContractServer } from './support/contract-server.js';
import { counted } from './support/events.js';

const server = useContractServer();

describeEmbedded('what is not built', () => {
  it.each([
    ['Delete', () => server.client.deleteStream('some')],
    ['Tombstone', () => server.client.tombstoneStream('some')],
    ['Projections', () => server.client.createProjection('some', 'fromAll()')],
    ['Statistics', () => server.client.listProjections()],
  ])('says so: %s', async (name, call) => {
    await server.client.appendToStream('some', counted(0));
    await expect(call()).rejects.toThrow(new RegExp(`UNIMPLEMENTED.*${name}.*not implemented`, 'i'));
  });
});
