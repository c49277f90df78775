import { status } from '@grpc/grpc-js';
import type { ExpectedRevision } from '../../log/appends/decide-append.js';
import type { ProposedEvent } from '../../log/record.js';
import { appendTooLarge, GrpcFailure } from '../../wire/grpc-failure.js';
import { eventIdOf, type Uuid } from '../../wire/values.js';

/** The proposed messages of Append and of BatchAppend have the same shape. */
type ProposedMessage = {
  getId(): Uuid | undefined;
  getMetadataMap(): { get(key: string): string | undefined };
  getCustomMetadata_asU8(): Uint8Array;
  getData_asU8(): Uint8Array;
};

/** The events of one append while they come in; they are counted, so that too many bytes are never held. */
export class Proposals {
  readonly events: ProposedEvent[] = [];
  #bytes = 0;

  constructor(private readonly appendSizeMax: number) {}

  /** Of data and metadata so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Forgets them all: the append was refused. */
  clear(): void {
    this.events.length = 0;
    this.#bytes = 0;
  }

  /** @throws {GrpcFailure | AppError} where the event is malformed, or the append becomes too large by it. */
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
  throw new GrpcFailure(status.INVALID_ARGUMENT, 'an event needs a type and a content-type', {
    exception: 'missing-required-metadata-property',
    'required-metadata-properties': 'type,content-type',
  });
};

type Expectations = {
  hasAny(): boolean;
  hasNoStream(): boolean;
  hasStreamExists(): boolean;
};
/** `revision`: the digits of the exact revision, where there is one. */
export const expectedRevisionOf = (
  options: Expectations,
  revision: string | undefined,
): ExpectedRevision | undefined => {
  if (revision !== undefined) return { kind: 'exact', revision: BigInt(revision) };
  if (options.hasAny()) return { kind: 'any' };
  if (options.hasNoStream()) return { kind: 'no-stream' };
  return options.hasStreamExists() ? { kind: 'stream-exists' } : undefined;
};
