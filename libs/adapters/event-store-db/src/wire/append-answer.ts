import { ProtoReader } from '@app/kernel';

/** The server's answer to an append: the revision of the last event, or an error. */
export type AppendAnswer = {
  /** The UUID of the request. */
  readonly correlation: string;
  readonly revision: bigint;
  readonly isFailure: boolean;
};

/** Decodes `message BatchAppendResp`, without the details of a failure. */
export const decodeAppendAnswer = (bytes: Buffer): AppendAnswer => {
  const reader = new ProtoReader(bytes);
  let correlation = '';
  let revision = 0n;
  let isFailure = false;
  while (reader.next()) {
    if (reader.field === 1) correlation = uuidIn(reader.bytes());
    else if (reader.field === 2) {
      isFailure = true;
      reader.skip();
    } else if (reader.field === 3) revision = revisionIn(reader.bytes());
    else reader.skip();
  }
  return { correlation, revision, isFailure };
};

const revisionIn = (success: Buffer): bigint => {
  const reader = new ProtoReader(success);
  let revision = 0n;
  while (reader.next()) {
    if (reader.field === 1) revision = reader.integer();
    else reader.skip();
  }
  return revision;
};

/** Returns the text of `message UUID`, which servers send as text or as two numbers. */
export const uuidIn = (message: Buffer): string => {
  const reader = new ProtoReader(message);
  let text = '';
  while (reader.next()) {
    if (reader.field === 2) text = reader.string();
    else if (reader.field === 1) text = structured(reader.bytes());
    else reader.skip();
  }
  return text;
};

const structured = (message: Buffer): string => {
  const reader = new ProtoReader(message);
  const halves: [bigint, bigint] = [0n, 0n];
  while (reader.next()) {
    if (reader.field === 1 || reader.field === 2) halves[reader.field - 1] = reader.integer();
    else reader.skip();
  }
  const digits = halves.map((half) => half.toString(16).padStart(16, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};
