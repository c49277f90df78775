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
  getCustomMetadata_asU8(): Uint8Array {
    return this.metadata;
  }
  getData(): Uint8Array {
    return this.data;
  }
  getData_asU8(): Uint8Array {
    return this.data;
  }
}

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
