import type { JsonObject } from '@app/kernel';
import type { Digest } from '../commitments.js';
import type { SealedEvent } from '../leaf.js';

/** The form of bundles that this version writes and reads. */
export const BUNDLE_FORM = 'palimpsest/proof/v2';

/** The first line of a bundle. */
export type Manifest = {
  readonly form: typeof BUNDLE_FORM;
  /** Names the log, as its checkpoints do. */
  readonly origin: string;
  readonly tenant: string;
  readonly session: string;
  readonly stream: string;
  /** All events of the session in the tree of the checkpoint, by revision. */
  readonly events: { readonly first: number; readonly last: number; readonly count: number };
  readonly order: 'revision';
  /** Whether content is in clear or left sealed. */
  readonly content: 'clear' | 'sealed';
  /** Leaves of the log in the tree of the checkpoint. */
  readonly size: number;
  /** Version of the service. */
  readonly engine: string;
  readonly exportedAt: string;
  /** In force at the last event. */
  readonly profile: string;
  readonly prompts: readonly string[];
  readonly notProven: readonly string[];
};

/** A signed checkpoint with a proof that the bundle's own one continues it. */
type OlderHead = { readonly checkpoint: string; readonly proof: readonly string[] };

/** The second line: the log's signed heads, the entries about itself, and the salts of this session. */
export type LogSection = {
  /** With its cosignatures. */
  readonly checkpoint: string;
  readonly heads: readonly OlderHead[];
  /** A proof that the tree continues an older one of this size, which the reader of the bundle remembers. */
  readonly since?: { readonly size: number; readonly proof: readonly string[] };
  readonly entries: readonly { readonly index: number; readonly text: string }[];
  readonly salt: Digest;
  /** By the ID of the key that has sealed the content; empty for sealed bundles. */
  readonly contentSalts: Readonly<Record<string, Digest>>;
};

/** The third line: the place of the last event's leaf in the log, which commits to all events, and the hashes that lead to the root. */
export type InclusionSection = {
  readonly index: number;
  /** The last leaf's commitment to sealed contents, where all of them are in clear; otherwise it is computed from them. */
  readonly sealed?: Digest;
  /** Roots of the largest subtrees without a leaf of the bundle, from left to right. */
  readonly siblings: readonly Digest[];
};

/**
 * Content of an event: in clear with its key, or its keys with `~` between them, and in a bundle with sealed content the SHA-256 of
 * its sealed form; or sealed.
 */
export type BundledContent =
  | { readonly kind: 'clear'; readonly key: string; readonly sealed?: Digest; readonly text: string }
  | { readonly kind: 'sealed'; readonly text: string };

export type BundledEvent = {
  /** Its line in the file, from 1. */
  readonly line: number;
  /** The public part, exactly as it is committed to. */
  readonly text: string;
  readonly event: SealedEvent;
  /** One, or one for each group of subjects. */
  readonly contents: readonly BundledContent[];
};

/** An event of another stream that proves an erasure. */
export type Receipt = {
  readonly line: number;
  readonly index: number;
  readonly stream: string;
  readonly salt: Digest;
  /** Commitment to the public parts of the stream before it; null for its first event. */
  readonly previous: Digest | null;
  readonly text: string;
  readonly event: SealedEvent;
};

/** A bundle as it was read; nothing in it is verified. */
export type Bundle = {
  readonly manifest: Manifest;
  readonly log: LogSection;
  readonly inclusion: InclusionSection;
  readonly events: readonly BundledEvent[];
  readonly receipts: readonly Receipt[];
  /** Texts that events claim, by the SHA-256 that they were given with, hexadecimal. */
  readonly blobs: ReadonlyMap<string, string>;
  /** The signed note of the last line; `undefined` if the file was cut. */
  readonly signature: string | undefined;
  /** SHA-256 of all bytes before the last line. */
  readonly digest: Digest;
};

/** Returns the text that the log's key signs for a bundle. */
export const signedText = (origin: string, digest: Digest): string =>
  `${BUNDLE_FORM}\n${origin}\n${digest}\n`;

/** Returns the text that the log's key signs for a page that shows a session; `digest` is that of the recording in it. */
export const signedPageText = (origin: string, digest: Digest): string =>
  `palimpsest/page/v1\n${origin}\n${digest}\n`;

/** Returns the line of content. @param keyBefore of the content in clear before it. */
export const contentLine = (content: BundledContent, keyBefore?: string): string => {
  if (content.kind === 'sealed') return `{"sealed":${JSON.stringify(content.text)}}\n`;
  const { key, sealed, text } = content;
  const named = key === keyBefore ? '' : `"key":${JSON.stringify(key)},`;
  const digest = sealed === undefined ? '' : `"digest":"${sealed}",`;
  return named + digest === '' ? `${text}\n` : `{${named}${digest}"content":${text}}\n`;
};

export const blobLine = (digest: string, text: string): string =>
  `${JSON.stringify({ blob: digest, text })}\n`;

export const receiptLine = ({
  index,
  stream,
  salt,
  previous,
  text,
}: Omit<Receipt, 'line' | 'event'>): string =>
  `${JSON.stringify({ receipt: { index, stream, salt, previous, event: text } })}\n`;

export const signatureLine = (note: string): string => `${JSON.stringify({ signature: note })}\n`;

/** Returns a section as a line. */
export const sectionLine = (section: Manifest | LogSection | InclusionSection): string =>
  `${JSON.stringify(section satisfies JsonObject)}\n`;
