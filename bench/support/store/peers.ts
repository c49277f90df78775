import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { invariant } from '@app/kernel';

export type Peer = { readonly url: string; stop(): void };

/**
 * Starts a server to compare with. `forgetting`: ours, on a storage engine that answers at once and forgets.
 * `repeating`: reads are answered with one event, encoded before.
 */
export const startPeer = async (kind: 'forgetting' | 'repeating'): Promise<Peer> => {
  const child = fork(fileURLToPath(new URL('./peer-program.js', import.meta.url)), [kind], { execArgv: [] });
  const port = await new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the peer ended with ${code} before it was ready`)));
  });
  invariant(typeof port === 'number', 'a peer tells its port');
  return { url: `esdb://127.0.0.1:${port}?tls=false`, stop: () => child.disconnect() };
};
