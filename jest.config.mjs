import { LIBRARIES } from './scripts/libraries.mjs';

/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/scripts/test-environment.mjs',
  roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  globalSetup: '<rootDir>/scripts/set-up-tests.mjs',
  transform: { '^.+\\.ts$': '<rootDir>/scripts/spec-transform.mjs' },
  moduleNameMapper: {
    [`^(${LIBRARIES.join('|')})$`]: '<rootDir>/dist/libraries/$1.mjs',
    '^@app/adapters/([^/]+)$': '<rootDir>/libs/adapters/$1/src/index.ts',
    '^@palimpsest/client$': '<rootDir>/libs/client/src/index.ts',
    '^@app/deployments$': '<rootDir>/test/support/deployments/index.ts',
    '^@app/testing$': '<rootDir>/test/support/testing/index.ts',
    '^@app/testing/([^/]+)$': '<rootDir>/test/support/testing/$1/index.ts',
    '^@app/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  // Two cores carry three: a spec with real servers waits for them a third of its time.
  maxWorkers: 3,
  testSequencer: '<rootDir>/scripts/longest-first.mjs',
  // What a spec has loaded stays with its worker: some 10 MB each. A new one now and then is cheaper than that heap.
  workerIdleMemoryLimit: '512MB',
  setupFilesAfterEnv: ['<rootDir>/scripts/time-limit.mjs'],
  reporters: ['default', '<rootDir>/scripts/tally-reporter.mjs'],
};
