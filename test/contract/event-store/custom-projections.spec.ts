import { describeEmbedded, useContractServer } from './support/contract-server.js';

const server = useContractServer();

describeEmbedded('custom projections', () => {
  it.each([
    ['Create', () => server.client.createProjection('some', 'fromAll()')],
    ['Update', () => server.client.updateProjection('$by_category', 'fromAll()')],
    ['Reset', () => server.client.resetProjection('$by_category')],
  ])('are rejected with the reason: %s', async (name, call) => {
    await expect(call()).rejects.toThrow(
      new RegExp(`UNIMPLEMENTED.*${name}.*not supported.*EventStoreDB`, 'i'),
    );
  });
});
