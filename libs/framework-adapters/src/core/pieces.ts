import {
  type Block,
  blocksOf,
  type ComposedByReference,
  isText,
  type Message,
  type ReferencePart,
} from '@palimpsest/client';

/** A message of a composed request: one of the framework's own, by its index, or one that the service wrote. */
export type Piece = { readonly own: number } | { readonly message: Message };

type Referenced = ComposedByReference['messages'];
type Reference = Extract<ReferencePart, { readonly message: string }>;

/** A message that a request refers to, and its place in the history of the framework if it is there. */
export type Known = { readonly message: Message; readonly own?: number };

/** Returns the IDs of all messages that a request refers to. */
export const referencedIn = (messages: Referenced): readonly string[] =>
  messages.flatMap((message) =>
    typeof message === 'string'
      ? message
      : message.parts.flatMap((part) => ('message' in part ? part.message : [])),
  );

/**
 * Returns the messages of a composed request. A message that stays verbatim is the object that the framework has: with its
 * provider metadata, and byte-identical for the prompt cache.
 *
 * @param keepsReasoning whether an own message may carry reasoning that the composed one leaves out.
 */
export const piecesOf = (
  messages: Referenced,
  find: (id: string) => Known | undefined,
  keepsReasoning = true,
): readonly Piece[] =>
  messages.flatMap((sent): readonly Piece[] => {
    if (typeof sent === 'string') {
      const known = find(sent);
      return known ? [wholeOf(known)] : [];
    }
    const { role, parts } = sent;
    const pieces: Piece[] = [];
    let written: Block[] = [];
    const finish = (): void => {
      if (written.length > 0) pieces.push({ message: { role, content: written } });
      written = [];
    };
    for (const part of parts) {
      if ('content' in part) {
        written.push(...part.content);
        continue;
      }
      const known = find(part.message);
      if (!known) continue;
      if (known.own !== undefined && isVerbatim(part, known.message, keepsReasoning)) {
        finish();
        pieces.push({ own: known.own });
      } else written.push(...sentOf(part, known.message));
    }
    finish();
    return pieces;
  });

const wholeOf = ({ own, message }: Known): Piece => (own === undefined ? { message } : { own });

const sentOf = ({ blocks }: Reference, { content }: Message): readonly Block[] => {
  const all = blocksOf(content);
  return blocks ? blocks.flatMap((at) => all[at] ?? []) : all;
};

/** Whether all blocks are sent except blank text and reasoning, which frameworks and providers drop by themselves. */
const isVerbatim = ({ blocks }: Reference, { content }: Message, keepsReasoning: boolean): boolean => {
  if (!blocks) return true;
  const sent = new Set(blocks);
  return blocksOf(content).every(
    (block, at) => sent.has(at) || isBlank(block) || (keepsReasoning && isReasoning(block)),
  );
};

const isBlank = (block: Block): boolean => isText(block) && block.text.trim() === '';
const isReasoning = ({ type }: Block): boolean => type === 'thinking' || type === 'redacted_thinking';
