// Jest's global setup.
import bundleLibraries from './libraries.mjs';
import { testCluster } from './test-cluster.mjs';
import { makeTestFolder } from './test-folder.mjs';

export default async function setUpTests() {
  await bundleLibraries();
  const cluster = await testCluster();
  // The workers inherit it; test/support/deployments/processes/data-folder.ts reads it.
  if (cluster !== undefined) process.env.TEST_CLUSTER = cluster;
  const folder = makeTestFolder();
  if (folder !== undefined) process.env.TMPDIR = folder;
}
