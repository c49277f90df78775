import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  answerAddCheckpoint,
  cosign,
  formatSignature,
  formatVerifierKey,
  parseAddCheckpoint,
  parseCheckpoint,
  parseVerifierKey,
  type SignerKey,
  signerKey,
  type TreeHead,
} from '@app/tlog';
import { type Signer, signerOf, Witness } from '../../support/c2sp.js';

/** Behaviour of a witness. `lying`: it cosigns another tree; `forgetful`: it has lost its state. */
type Mood = 'honest' | 'silent' | 'lying' | 'garbage' | 'refusing' | 'forgetful' | 'ahead';

/**
 * A witness in this process (C2SP tlog-witness), which trusts the keys of logs that it is told. With a key for Ed25519 it shares no
 * code with the product.
 */
export class FakeWitness {
  mood: Mood = 'honest';
  /** Cosigned checkpoints by origin. */
  readonly heads = new Map<string, TreeHead>();
  readonly statuses: number[] = [];
  #sentSizes: number[] = [];

  /** The keys of logs, by origin; learnt from the test. */
  private readonly logs = new Map<string, string>();
  private readonly peer: Witness | undefined;

  private constructor(
    readonly key: SignerKey,
    private readonly server: Server,
    signer: Signer | undefined,
  ) {
    this.peer = signer && new Witness(signer, this.logs);
    this.vkey = signer?.vkey ?? formatVerifierKey(key);
  }

  private readonly vkey: string;

  static async start(name: string, type: 'ed25519-cosignature' | 'ml-dsa-44-cosignature', seed: number) {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const secret = new Uint8Array(32).fill(seed);
    const signer = type === 'ed25519-cosignature' ? signerOf(name, 'witness', secret) : undefined;
    const witness = new FakeWitness(signerKey(name, type, secret), server, signer);
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const answer = witness.#answer(Buffer.concat(parts).toString('utf8'));
        if (answer === undefined) return;
        witness.statuses.push(answer.status);
        response.writeHead(answer.status, {
          'content-type': answer.status === 409 ? 'text/x.tlog.size' : 'text/plain',
        });
        response.end(answer.body);
      });
    });
    return witness;
  }

  /** A line of a policy. */
  get line(): string {
    const { port } = this.server.address() as AddressInfo;
    return `witness ${this.key.name} ${this.vkey} http://127.0.0.1:${port}/w`;
  }

  /** The old sizes that it was asked with. */
  get oldSizes(): readonly number[] {
    return this.#sentSizes;
  }

  trust(origin: string, vkey: string): void {
    this.logs.set(origin, vkey);
  }

  #answer(body: string): { readonly status: number; readonly body: string } | undefined {
    if (this.mood === 'silent') return undefined;
    if (this.mood === 'garbage') return { status: 200, body: 'thanks\n' };
    if (this.mood === 'refusing') return { status: 422, body: 'no\n' };
    const { note, oldSize } = parseAddCheckpoint(body);
    this.#sentSizes.push(oldSize);
    const { origin, size } = parseCheckpoint(note.text);
    if (this.mood === 'ahead') return { status: 409, body: `${size + 100}\n` };
    if (this.mood === 'forgetful') {
      this.heads.delete(origin);
      this.peer?.forget(origin);
    }
    if (this.mood === 'lying') {
      const other = note.text.replace(`\n${size}\n`, `\n${size + 1}\n`);
      return { status: 200, body: formatSignature(cosign(other, this.key, 1_700_000_000)) };
    }
    if (this.peer) return this.peer.answer(body);
    const vkey = this.logs.get(origin);
    const answer = answerAddCheckpoint(
      {
        keys: [this.key],
        logKeys: (one) => (one === origin && vkey !== undefined ? [parseVerifierKey(vkey)] : undefined),
        last: (one) => this.heads.get(one),
      },
      body,
      Math.floor(Date.now() / 1_000),
    );
    if (answer.status === 200) this.heads.set(origin, answer.cosigned);
    return { status: answer.status, body: 'body' in answer ? answer.body : `${answer.problem}\n` };
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }
}
