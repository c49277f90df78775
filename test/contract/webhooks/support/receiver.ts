import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';

/** A received CloudEvent with its headers. */
export type Received = {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly event: {
    readonly specversion: string;
    readonly type: string;
    readonly subject: string;
    readonly data: { readonly position: string; readonly session: string; readonly data: object };
  };
};
export type Answering = (received: Received, response: ServerResponse) => void;

const accept: Answering = (_, response) => {
  response.statusCode = 204;
  response.end();
};

/** A webhook receiver on the loopback interface; accepts everything by default. */
export class Receiver {
  readonly received: Received[] = [];
  answering: Answering = accept;
  #heard: (() => void)[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<Receiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const { headers } = request;
        const received = { id: String(headers['webhook-id']), headers, text, event: JSON.parse(text) };
        receiver.received.push(received);
        receiver.answering(received, response);
        for (const wake of receiver.#heard.splice(0)) wake();
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const receiver: Receiver = new Receiver(server, `http://127.0.0.1:${port}/hook`);
    return receiver;
  }

  /** Resolves when the received events satisfy `isEnough`. */
  async until(isEnough: (received: readonly Received[]) => boolean): Promise<void> {
    while (!isEnough(this.received)) {
      await new Promise<void>((resolve) => {
        this.#heard.push(resolve);
      });
    }
  }

  /** Restores the initial state. */
  reset(): void {
    this.received.length = 0;
    this.answering = accept;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

export const answerWith =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answering =>
  (_, response) => {
    response.writeHead(status, headers).end();
  };

/** Closes the connection in the middle of an answer, as a crashing receiver. */
export const cutOff: Answering = (_, response) => {
  response.destroy();
};

/** Whether one of the signatures belongs to the secret. */
export const isSignedWith = (secret: string, { headers, id, text }: Received): boolean => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${id}.${headers['webhook-timestamp']}.${text}`;
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(expected);
};
