import { z } from 'zod';
import { type NamedStore, type Unwrap, unreachable, wrongKey } from './key-store.js';
import { vendorModule } from './vendor-module.js';

/** Prefix of a key encrypted by AWS KMS, as base64. */
export const AWS_PREFIX = 'aws-kms:';
const NAME = 'AWS KMS';
const STORE: NamedStore = {
  name: NAME,
  settings: 'PALIMPSEST_KMS_KEY, PALIMPSEST_KMS_URL, AWS_REGION and the credentials',
};
/** Errors about the ciphertext or the key; all others are about the caller or the connection. */
const WRONG = new Set(['InvalidCiphertextException', 'IncorrectKeyException', 'NotFoundException']);
const answer = z.object({ Plaintext: z.instanceof(Uint8Array) });
const refusal = z.object({ name: z.string() });

/** The used part of `@aws-sdk/client-kms`. */
type Kms = {
  KMSClient: new (options: {
    endpoint?: string;
    maxAttempts: number;
  }) => {
    send(command: object): Promise<unknown>;
    destroy(): void;
  };
  DecryptCommand: new (input: { KeyId: string; CiphertextBlob: Uint8Array }) => object;
};

/** Decrypts with a key by its ARN, ID or alias, with region and credentials as the AWS SDK finds them. */
export const unwrapWithAws =
  (key: string, endpoint?: string): Unwrap =>
  async (wrapped) => {
    // The package has these exports in every version that the peer range names.
    const { KMSClient, DecryptCommand } = (await vendorModule('@aws-sdk/client-kms', NAME)) as Kms;
    const client = new KMSClient({ maxAttempts: 2, ...(endpoint !== undefined && { endpoint }) });
    const CiphertextBlob = Buffer.from(wrapped.slice(AWS_PREFIX.length), 'base64');
    try {
      const { Plaintext } = answer.parse(
        await client.send(new DecryptCommand({ KeyId: key, CiphertextBlob })),
      );
      return Buffer.from(Plaintext).toString('base64');
    } catch (cause) {
      const name = refusal.safeParse(cause).data?.name ?? 'no reason';
      if (WRONG.has(name)) throw wrongKey(STORE, key);
      throw unreachable(STORE, `does not decrypt (${name})`, cause);
    } finally {
      client.destroy();
    }
  };
