import { ProtoReader } from '@app/kernel';
import { uuidIn } from './appends.js';

const NOTHING = Buffer.alloc(0);

/**
 * `message ReadResp`, decoded by this module: the generated classes and their conversion took most of the time of a read. Has the
 * getters of the generated class that the client calls. Fields that a message lacks have protobuf's default values.
 */
export class ReadAnswer {
  private event: ReadEvent | undefined;
  private confirmation: Buffer | undefined;
  private checkpoint: Buffer | undefined;
  private notFound: Buffer | undefined;
  private caughtUp = false;
  private fellBehind = false;

  /** @throws {RangeError} for a malformed message. */
  constructor(bytes: Buffer) {
    const reader = new ProtoReader(bytes);
    while (reader.next()) this.read(reader);
  }

  private read(reader: ProtoReader): void {
    if (reader.field === 1) this.event = new ReadEvent(reader.bytes());
    else if (reader.field === 2) this.confirmation = reader.bytes();
    else if (reader.field === 3) this.checkpoint = reader.bytes();
    else if (reader.field === 4) this.notFound = reader.bytes();
    else {
      if (reader.field === 8) this.caughtUp = true;
      if (reader.field === 9) this.fellBehind = true;
      reader.skip();
    }
  }

  hasEvent(): boolean {
    return this.event !== undefined;
  }
  getEvent(): ReadEvent | undefined {
    return this.event;
  }
  hasConfirmation(): boolean {
    return this.confirmation !== undefined;
  }
  getConfirmation() {
    const id = bytesIn(this.confirmation ?? NOTHING, 1).toString();
    return { getSubscriptionId: () => id };
  }
  hasCheckpoint(): boolean {
    return this.checkpoint !== undefined;
  }
  getCheckpoint() {
    const [commit, prepare] = positionIn(this.checkpoint ?? NOTHING);
    return { getCommitPosition: () => commit, getPreparePosition: () => prepare };
  }
  hasStreamNotFound(): boolean {
    return this.notFound !== undefined;
  }
  getStreamNotFound() {
    const name = bytesIn(bytesIn(this.notFound ?? NOTHING, 1), 3);
    return { getStreamIdentifier: () => ({ getStreamName: () => name }) };
  }
  hasCaughtUp(): boolean {
    return this.caughtUp;
  }
  hasFellBehind(): boolean {
    return this.fellBehind;
  }
}

/** `message ReadResp.ReadEvent`. */
class ReadEvent {
  private event: RecordedEvent | undefined;
  private link: RecordedEvent | undefined;
  private commit: bigint | undefined;

  constructor(bytes: Buffer) {
    const reader = new ProtoReader(bytes);
    while (reader.next()) {
      if (reader.field === 1) this.event = new RecordedEvent(reader.bytes());
      else if (reader.field === 2) this.link = new RecordedEvent(reader.bytes());
      else if (reader.field === 3) this.commit = reader.integer();
      else reader.skip();
    }
  }

  hasEvent(): boolean {
    return this.event !== undefined;
  }
  getEvent(): RecordedEvent | undefined {
    return this.event;
  }
  hasLink(): boolean {
    return this.link !== undefined;
  }
  getLink(): RecordedEvent | undefined {
    return this.link;
  }
  hasCommitPosition(): boolean {
    return this.commit !== undefined;
  }
  getCommitPosition(): bigint {
    return this.commit ?? 0n;
  }
}

/** `message ReadResp.ReadEvent.RecordedEvent`. */
class RecordedEvent {
  private id: string | undefined;
  private stream: Buffer | undefined;
  private revision = 0n;
  private prepare = 0n;
  private commit = 0n;
  private readonly properties = new Map<string, string>();
  private metadata: Buffer = NOTHING;
  private data: Buffer = NOTHING;

  constructor(bytes: Buffer) {
    const reader = new ProtoReader(bytes);
    while (reader.next()) this.read(reader);
  }

  private read(reader: ProtoReader): void {
    switch (reader.field) {
      case 1:
        this.id = uuidIn(reader.bytes());
        return;
      case 2:
        this.stream = bytesIn(reader.bytes(), 3);
        return;
      case 3:
        this.revision = reader.integer();
        return;
      case 4:
        this.prepare = reader.integer();
        return;
      case 5:
        this.commit = reader.integer();
        return;
      case 6:
        this.readProperty(reader.bytes());
        return;
      case 7:
        this.metadata = reader.bytes();
        return;
      case 8:
        this.data = reader.bytes();
        return;
      default:
        reader.skip();
    }
  }

  private readProperty(entry: Buffer): void {
    const reader = new ProtoReader(entry);
    let [name, value] = ['', ''];
    while (reader.next()) {
      if (reader.field === 1) name = reader.string();
      else if (reader.field === 2) value = reader.string();
      else reader.skip();
    }
    this.properties.set(name, value);
  }

  hasId(): boolean {
    return this.id !== undefined;
  }
  getId() {
    const id = this.id ?? '';
    return { hasStructured: () => false, getString: () => id };
  }
  hasStreamIdentifier(): boolean {
    return this.stream !== undefined;
  }
  getStreamIdentifier() {
    const name = this.stream ?? NOTHING;
    return { getStreamName: () => name };
  }
  getStreamRevision(): bigint {
    return this.revision;
  }
  getPreparePosition(): bigint {
    return this.prepare;
  }
  getCommitPosition(): bigint {
    return this.commit;
  }
  getMetadataMap(): { get(name: string): string | undefined } {
    return this.properties;
  }
  getCustomMetadata_asU8(): Buffer {
    return this.metadata;
  }
  getData(): Uint8Array {
    return this.data;
  }
  getData_asU8(): Buffer {
    return this.data;
  }
}

/** An event as it is stored; metadata and JSON data are parsed. */
export type LogRecord = {
  readonly id: string;
  readonly streamId: string;
  readonly revision: bigint;
  readonly position: { readonly commit: bigint };
  readonly type: string;
  readonly data: unknown;
  readonly metadata: unknown;
};

/** Returns the events of answers as the client does. Events share their type, and in a row equal metadata. */
export class LogRecords {
  private readonly types = new Map<string, string>();
  private last: { readonly bytes: Uint8Array; readonly metadata: unknown } = {
    bytes: NOTHING,
    metadata: undefined,
  };

  /** Returns `undefined` for an answer without an event. */
  recordIn(answer: ReadAnswer): LogRecord | undefined {
    const event = answer.getEvent()?.getEvent();
    if (!event) return undefined;
    const properties = event.getMetadataMap();
    const data = event.getData_asU8();
    return {
      id: event.getId().getString(),
      streamId: event.getStreamIdentifier().getStreamName().toString(),
      revision: event.getStreamRevision(),
      position: { commit: event.getCommitPosition() },
      type: this.typeIn(properties.get('type') ?? ''),
      data: properties.get('content-type') === JSON_TYPE ? parsed(data, (text) => text) : data,
      metadata: this.metadataIn(event.getCustomMetadata_asU8()),
    };
  }

  /** One string is compared by its place, and its hash is known. */
  private typeIn(name: string): string {
    const known = this.types.get(name);
    if (known === undefined && this.types.size < TYPES_MAX) this.types.set(name, name);
    return known ?? name;
  }

  private metadataIn(bytes: Buffer): unknown {
    if (bytes.length === 0) return undefined;
    if (!bytes.equals(this.last.bytes)) this.last = { bytes, metadata: parsed(bytes, () => bytes) };
    return this.last.metadata;
  }
}

const TYPES_MAX = 1_000;
const JSON_TYPE = 'application/json';

const parsed = (bytes: Buffer, otherwise: (text: string) => unknown): unknown => {
  const text = bytes.toString();
  try {
    return JSON.parse(text);
  } catch {
    return otherwise(text);
  }
};

/** Returns the bytes of a field of a message; empty without one. */
const bytesIn = (message: Buffer, field: number): Buffer => {
  const reader = new ProtoReader(message);
  let found: Buffer = NOTHING;
  while (reader.next()) {
    if (reader.field === field) found = reader.bytes();
    else reader.skip();
  }
  return found;
};

/** Returns the commit and the prepare position. */
const positionIn = (message: Buffer): readonly [bigint, bigint] => {
  const reader = new ProtoReader(message);
  const position: [bigint, bigint] = [0n, 0n];
  while (reader.next()) {
    if (reader.field === 1 || reader.field === 2) position[reader.field - 1] = reader.integer();
    else reader.skip();
  }
  return position;
};
