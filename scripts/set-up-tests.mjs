// Jest's global setup.
import { stop } from 'esbuild';
import bundleLibraries from './libraries.mjs';
import bundleShell from './shell.mjs';
import bundleSources from './source-bundles.mjs';
import { testCluster } from './test-cluster.mjs';
import { makeTestFolder } from './test-folder.mjs';

export default async function setUpTests() {
  await Promise.all([bundleLibraries(), bundleSources(), bundleShell()]);
  await stop(); // Or its process keeps some hundred megabytes while the specs run.
  const cluster = await testCluster();
  // The workers inherit it; test/support/deployments/processes/data-folder.ts reads it.
  if (cluster !== undefined) process.env.TEST_CLUSTER = cluster;
  const folder = makeTestFolder();
  if (folder !== undefined) process.env.TMPDIR = folder;
}
