import type { Pairing } from '../../message/index.js';
import type { WireFormat, WireNote } from '../../message/wire.js';

/**
 * Limits of call ids and tool names. Anthropic accepts letters, digits, `_` and `-` in both; OpenAI rejects ids over
 * 40 characters in chat and over 64 in Responses.
 */
const ID_MAX: Record<WireFormat, number> = { anthropic: 64, 'openai-chat': 40, 'openai-responses': 64 };
const NAME_MAX: Record<WireFormat, number> = { anthropic: 128, 'openai-chat': 64, 'openai-responses': 64 };

/** The ids under which calls leave, by message and block: valid for the provider, and no two alike. */
export type CallIds = {
  readonly idOf: (message: number, block: number) => string;
  readonly notes: readonly WireNote[];
};

export const nameCalls = ({ calls }: Pairing, format: WireFormat): CallIds => {
  const ids: string[][] = [];
  const notes: WireNote[] = [];
  const bases = calls.map(({ id }) => fitting(id, ID_MAX[format]));
  const taken = new Set(bases.filter((base, at) => base === calls[at]?.id));
  const used = new Set<string>();
  /** The next suffix to try per id, because all calls may share one id. */
  const tried = new Map<string, number>();
  calls.forEach(({ id, call }, at) => {
    const base = bases[at] ?? '_';
    let name = base;
    for (let n = tried.get(base) ?? 2; used.has(name) || (name !== id && taken.has(name)); n += 1) {
      tried.set(base, n + 1);
      const suffix = `_${n}`;
      name = `${base.slice(0, ID_MAX[format] - suffix.length)}${suffix}`;
    }
    used.add(name);
    const ofMessage = ids[call.message];
    if (ofMessage) ofMessage[call.block] = name;
    else ids[call.message] = [name]; // Calls come in their order: this is the first of its message.
    if (name !== id) notes.push({ action: 'renamed-call', callId: id, to: name });
  });
  return {
    idOf: (message, block) => ids[message]?.[block] ?? '_',
    notes,
  };
};

/** A tool's name in the form that the provider accepts. */
export const toolName = (name: string, format: WireFormat): string => fitting(name, NAME_MAX[format]);

const fitting = (value: string, max: number): string =>
  value.length <= max && FITS.test(value)
    ? value
    : value.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, max) || '_';
const FITS = /^[A-Za-z0-9_-]+$/;
