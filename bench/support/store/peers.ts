import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { invariant } from '@app/kernel';

export type Peer = { readonly url: string; stop(): void };

/**
 * Starts a server for comparison. `forgetting`: the embedded event store on a storage engine that discards events.
 * `repeating`: answers reads with one pre-encoded event.
 */
export const startPeer = async (kind: 'forgetting' | 'repeating'): Promise<Peer> => {
  const child = fork(fileURLToPath(new URL('./peer-program.js', import.meta.url)), [kind], { execArgv: [] });
  const port = await new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the peer exited with ${code} before it was ready`)));
  });
  invariant(typeof port === 'number', 'a peer reports its port');
  return { url: `esdb://127.0.0.1:${port}?tls=false`, stop: () => child.disconnect() };
};
