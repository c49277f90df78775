import type { LiveReport, LogWitnesses, RotatedLogKey, VerifyLiveRequest } from '../generated/types.js';
import { textParts } from '../streams/lines.js';
import { path } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';

/** A tile of hashes of a level, or of entries; `width` is 256, the default, for a full one. */
export type LogTile = { readonly level: number | 'entries'; readonly index: number; readonly width?: number };

/** The transparency log of the tenant, in the formats of C2SP (tlog-checkpoint, tlog-tiles). */
export class TransparencyLog {
  constructor(private readonly http: Transport) {}

  /** Returns the newest signed checkpoint; with a `quorum`, the newest one that so many witnesses have cosigned. */
  async checkpoint(query: { readonly quorum?: number } = {}, options?: CallOptions): Promise<string> {
    let text = '';
    for await (const part of textParts(
      await this.http.stream('GET', path`/v1/log/checkpoint`, { query, accept: 'text/plain' }, options),
    ))
      text += part;
    return text;
  }

  /** Returns the witnesses of the log, and the tree that each has cosigned last. */
  witnesses(options?: CallOptions): Promise<LogWitnesses> {
    return this.http.send('GET', path`/v1/log/witnesses`, {}, options);
  }

  /** Replaces the key of the log; older proofs stay valid. */
  rotateKey(options?: CallOptions): Promise<RotatedLogKey> {
    return this.http.send('POST', path`/v1/log/rotate-key`, {}, options);
  }

  /** Verifies every event and row of the installation against its logs; for keys of the operator. */
  verifyLive(request: VerifyLiveRequest = {}, options?: CallOptions): Promise<LiveReport> {
    return this.http.send('POST', path`/v1/log/verification`, { body: request }, options);
  }

  /** Returns the bytes of a tile or an entry bundle. */
  async tile({ level, index, width = 256 }: LogTile, options?: CallOptions): Promise<Uint8Array> {
    const groups = String(index)
      .padStart(Math.ceil(String(index).length / 3) * 3, '0')
      .match(/.../g)
      ?.map((group, at, all) => (at === all.length - 1 ? group : `x${group}`));
    const name = `${level}/${groups?.join('/')}${width === 256 ? '' : `.p/${width}`}`;
    const accept = '*/*';
    const { response, close } = await this.http.stream(
      'GET',
      path`/v1/log/tile/${name}`,
      { accept },
      options,
    );
    try {
      return new Uint8Array(await response.arrayBuffer());
    } finally {
      close();
    }
  }
}
