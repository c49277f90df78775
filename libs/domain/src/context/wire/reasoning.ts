import type { Message, ReasoningBlock } from '../../message/index.js';
import type { Manifest } from '../manifest.js';
import type { ReasoningOmission, WireFormat } from './wire.js';

/**
 * Models that refuse kept reasoning once anything before it has changed (provider-facts 1.4): from Fable 5.1,
 * Mythos 5.1, Opus 5.5, Sonnet 5.5 and Haiku 5.5 on.
 */
const BOUND_TO_PREFIX =
  /claude-(?:(?:fable|mythos)-5[-.][1-9](?!\d)|(?:opus|sonnet|haiku)-5[-.][5-9](?!\d)|[a-z]+-(?:[6-9]|[1-9]\d)(?!\d))/;

/** Why a block of reasoning must not leave in a request; `undefined` where it may, as the provider wrote it. */
export const reasoningOmission = (
  block: ReasoningBlock,
  message: Message,
  manifest: Manifest,
  format: WireFormat,
): ReasoningOmission | undefined => {
  if (format !== 'anthropic') return 'foreign-provider';
  if (block.type === 'thinking') {
    if (!block.signature) return 'unsigned';
    // Other providers' opaque items come in as JSON in the signature's place.
    if (block.signature.startsWith('{')) return 'foreign-provider';
  }
  if (message.model !== undefined && !/claude|anthropic/i.test(message.model)) return 'foreign-provider';
  if (!BOUND_TO_PREFIX.test(manifest.model)) return undefined;
  return hasChangedPrefix(manifest) || manifest.boundElsewhere.includes(message.id)
    ? 'bound-to-changed-prefix'
    : undefined;
};

/** Contributions stand behind everything: they change what comes after them, and nothing before. */
const hasChangedPrefix = ({ record, pinned, edits, isAltered }: Manifest): boolean =>
  record !== undefined || pinned !== undefined || edits.length > 0 || isAltered;
