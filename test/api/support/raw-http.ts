import { connect, type Socket } from 'node:net';

/** A connection that sends exact bytes. */
export class RawHttp {
  private text = '';
  private readonly closed: Promise<void>;
  private heard: (() => void)[] = [];

  private constructor(readonly socket: Socket) {
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined); // The tests expect the server to close it.
    const tell = (): void => {
      for (const hear of this.heard.splice(0)) hear();
    };
    socket.on('data', (bytes: Buffer) => {
      this.text += bytes.toString('latin1');
      tell();
    });
    socket.once('close', tell);
  }

  static async open(url: string): Promise<RawHttp> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new RawHttp(socket);
  }

  /** Sends the head of a request, and the first part of its body. */
  send(method: string, path: string, headers: Readonly<Record<string, string>>, body = ''): void {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    this.socket.write(`${method} ${path} HTTP/1.1\r\nhost: test\r\n${lines.join('')}\r\n${body}`);
  }

  /** Returns the status of the first answer; `undefined` if the connection closes without one. */
  async status(): Promise<number | undefined> {
    for (;;) {
      const status = /^HTTP\/1\.1 (\d{3}) /.exec(this.text)?.[1];
      if (status !== undefined) return Number(status);
      if (this.socket.destroyed) return undefined;
      await new Promise<void>((resolve) => this.heard.push(resolve));
    }
  }

  /** Resolves once everything that has been received is enough, or the connection is closed. */
  async until(isEnough: (text: string) => boolean): Promise<void> {
    while (!isEnough(this.text) && !this.socket.destroyed)
      await new Promise<void>((resolve) => this.heard.push(resolve));
  }

  /** Resolves with all received bytes when the server closes the connection. */
  async whenClosed(): Promise<string> {
    await this.closed;
    return this.text;
  }

  /** Sends bytes until the server closes the connection. @returns the number of accepted bytes. */
  async flood(): Promise<number> {
    const piece = Buffer.alloc(65_536, 'x');
    while (!this.socket.destroyed) {
      if (!this.socket.write(piece))
        await new Promise<void>((resolve) => {
          this.socket.once('drain', resolve).once('close', resolve);
        });
    }
    return this.socket.bytesWritten;
  }

  close(): void {
    this.socket.destroy();
  }
}
