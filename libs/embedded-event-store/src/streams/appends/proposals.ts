import { status } from '@grpc/grpc-js';
import type { ExpectedRevision } from '../../log/appends/decide-append.js';
import type { ProposedEvent } from '../../log/record.js';
import { appendTooLarge, GrpcFailure } from '../../wire/grpc-failure.js';
import { eventIdOf, type Uuid } from '../../wire/values.js';

/** The common shape of the proposed messages of Append and BatchAppend. */
type ProposedMessage = {
  getId(): Uuid | undefined;
  getMetadataMap(): { get(key: string): string | undefined };
  getCustomMetadata_asU8(): Uint8Array;
  getData_asU8(): Uint8Array;
};

/** The received events of one append, with a limit on their total size. */
export class Proposals {
  readonly events: ProposedEvent[] = [];
  #bytes = 0;

  constructor(private readonly appendSizeMax: number) {}

  /** Size of data and metadata so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Discards all events of a rejected append. */
  clear(): void {
    this.events.length = 0;
    this.#bytes = 0;
  }

  /** @throws {GrpcFailure | AppError} if the event is malformed, or the append exceeds its size limit. */
  add(message: ProposedMessage): void {
    const properties = message.getMetadataMap();
    const event = {
      id: eventIdOf(message.getId()),
      type: required(properties.get('type')),
      contentType: required(properties.get('content-type')),
      data: message.getData_asU8(),
      metadata: message.getCustomMetadata_asU8(),
    };
    this.#bytes += event.data.length + event.metadata.length;
    if (this.#bytes > this.appendSizeMax) throw appendTooLarge(this.appendSizeMax);
    this.events.push(event);
  }
}

const required = (value: string | undefined): string => {
  if (value !== undefined && value !== '') return value;
  throw new GrpcFailure(status.INVALID_ARGUMENT, 'an event must have a type and a content-type', {
    exception: 'missing-required-metadata-property',
    'required-metadata-properties': 'type,content-type',
  });
};

type Expectations = {
  hasAny(): boolean;
  hasNoStream(): boolean;
  hasStreamExists(): boolean;
};
/** `revision`: the digits of the exact revision, if any. */
export const expectedRevisionOf = (
  options: Expectations,
  revision: string | undefined,
): ExpectedRevision | undefined => {
  if (revision !== undefined) return { kind: 'exact', revision: BigInt(revision) };
  if (options.hasAny()) return { kind: 'any' };
  if (options.hasNoStream()) return { kind: 'no-stream' };
  return options.hasStreamExists() ? { kind: 'stream-exists' } : undefined;
};
