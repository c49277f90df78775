// Where specs run: Node as it is, but for the end of a worker. When nothing is left to do, a process takes its heap apart
// before it ends: with the modules of fifty specs, and other work on the machine, for more than the half second after
// which jest kills a worker and speaks of a leak. So it ends at once. A spec that leaves something open still keeps its
// worker from coming to that point, and is still told of.
import { TestEnvironment } from 'jest-environment-node';

if (process.send && process.listenerCount('beforeExit') === 0)
  process.once('beforeExit', () => process.exit());

export default TestEnvironment;
