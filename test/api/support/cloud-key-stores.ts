import { createServer, type IncomingMessage, type Server } from 'node:http';
import { newSecretKey } from '@app/adapters/secret-box';

const KEY_ID = 'palimpsest-key';
const GOOGLE_KEY = 'projects/p/locations/global/keyRings/r/cryptoKeys/palimpsest';
const TOKEN = 'token-of-the-machine';
const WRAPPED = Buffer.from('an encrypted key');

/** One server that answers as AWS KMS, Google Cloud KMS, Azure Key Vault, and the servers of a machine's credentials do. */
export class CloudKeyStores {
  readonly plaintext = newSecretKey();
  /** Whether the caller may decrypt. */
  isAllowed = true;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<CloudKeyStores> {
    const server = createServer();
    const stores = new CloudKeyStores(server);
    server.on('request', async (request, response) => {
      const { status, body, headers = {} } = stores.answer(request, await bodyOf(request));
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return stores;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  get host(): string {
    const address = this.server.address();
    return `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  /** The settings of each store, with the key as it has encrypted it. */
  settingsOf(store: 'AWS KMS' | 'Google Cloud KMS' | 'Azure Key Vault'): Readonly<Record<string, string>> {
    const url = `http://${this.host}`;
    switch (store) {
      case 'AWS KMS':
        return {
          PALIMPSEST_SECRETS_KEY: `aws-kms:${WRAPPED.toString('base64')}`,
          ...{ PALIMPSEST_KMS_KEY: KEY_ID, PALIMPSEST_KMS_URL: url, AWS_REGION: 'eu-central-1' },
          ...{ AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'example' },
        };
      case 'Google Cloud KMS':
        return {
          PALIMPSEST_SECRETS_KEY: `google-kms:${WRAPPED.toString('base64')}`,
          ...{ PALIMPSEST_KMS_KEY: GOOGLE_KEY, PALIMPSEST_KMS_URL: url, GCE_METADATA_HOST: this.host },
          METADATA_SERVER_DETECTION: 'assume-present',
        };
      case 'Azure Key Vault':
        return {
          PALIMPSEST_SECRETS_KEY: `azure-key-vault:${WRAPPED.toString('base64')}`,
          PALIMPSEST_KMS_KEY: `${url}/keys/palimpsest/1`,
          ...{ IDENTITY_ENDPOINT: `${url}/msi/token`, IDENTITY_HEADER: 'secret-of-the-machine' },
        };
    }
  }

  private answer({ method, url = '', headers }: IncomingMessage, text: string): Answer {
    const { pathname, searchParams } = new URL(url, 'http://host');
    if (method === 'GET') return machine(pathname, headers);
    const body = JSON.parse(text);
    if (headers['x-amz-target'] === 'TrentService.Decrypt') {
      const isSigned = /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\//.test(headers.authorization ?? '');
      if (!this.isAllowed || !isSigned) return amazon('AccessDeniedException');
      if (body.KeyId !== KEY_ID) return amazon('NotFoundException');
      if (body.CiphertextBlob !== WRAPPED.toString('base64')) return amazon('InvalidCiphertextException');
      return { status: 200, body: { KeyId: KEY_ID, Plaintext: this.plaintext } };
    }
    if (!this.isAllowed) return { status: 403, body: {} };
    if (headers.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: {} };
    if (pathname === `/v1/${GOOGLE_KEY}:decrypt` && body.ciphertext === WRAPPED.toString('base64'))
      return { status: 200, body: { plaintext: this.plaintext } };
    const isUnwrap = pathname === '/keys/palimpsest/1/unwrapkey' && searchParams.get('api-version') === '7.4';
    if (isUnwrap && body.alg === 'RSA-OAEP-256' && body.value === WRAPPED.toString('base64url')) {
      const value = Buffer.from(this.plaintext, 'base64').toString('base64url');
      return { status: 200, body: { kid: `http://${this.host}/keys/palimpsest/1`, value } };
    }
    return { status: 404, body: { error: { code: 'KeyNotFound' } } };
  }
}

type Answer = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The metadata server of Google's machines, and the identity endpoint of Azure's. */
const machine = (path: string, headers: IncomingMessage['headers']): Answer => {
  if (path === '/msi/token' && headers['x-identity-header'] === 'secret-of-the-machine')
    return { status: 200, body: { access_token: TOKEN, expires_on: '4102444800', token_type: 'Bearer' } };
  if (!path.startsWith('/computeMetadata/v1/') || headers['metadata-flavor'] !== 'Google')
    return { status: 404, body: {} };
  const body = path.endsWith('/token')
    ? { access_token: TOKEN, expires_in: 3600, token_type: 'Bearer' }
    : 'p';
  return { status: 200, body, headers: { 'metadata-flavor': 'Google' } };
};

const amazon = (type: string): Answer => ({ status: 400, body: { __type: type, message: 'refused' } });

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};
