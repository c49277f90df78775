import type { PairedCall, Pairing } from '../../message/index.js';
import type { WireFormat, WireNote } from '../../message/wire.js';

/**
 * Limits of call ids and tool names. Anthropic accepts letters, digits, `_` and `-` in both; OpenAI rejects ids over
 * 40 characters in chat and over 64 in Responses.
 */
const ID_MAX: Record<WireFormat, number> = { anthropic: 64, 'openai-chat': 40, 'openai-responses': 64 };
const NAME_MAX: Record<WireFormat, number> = { anthropic: 128, 'openai-chat': 64, 'openai-responses': 64 };

/** The ids under which calls leave: valid for the provider, and no two alike. */
export type CallIds = {
  readonly idOf: (call: PairedCall | undefined) => string;
  /** Names that were given or tried: another call with one of them would change names. */
  readonly taken: Iterable<string>;
  readonly notes: readonly WireNote[];
};

export const nameCalls = (pairing: Pairing, format: WireFormat): CallIds =>
  haveNames(pairing, ID_MAX[format])
    ? { idOf: (call) => call?.id ?? '_', taken: [], notes: [] }
    : newNames(pairing, format);

/** Whether all calls can leave under their own ids. */
const haveNames = ({ calls }: Pairing, max: number): boolean => {
  const ids = new Set<string>();
  for (const { id } of calls) {
    if (ids.has(id) || !isFitting(id, max)) return false;
    ids.add(id);
  }
  return true;
};

const newNames = ({ calls }: Pairing, format: WireFormat): CallIds => {
  const ids = new Map<PairedCall, string>();
  const notes: WireNote[] = [];
  const bases = calls.map(({ id }) => fitting(id, ID_MAX[format]));
  const taken = new Set(bases.filter((base, at) => base === calls[at]?.id));
  const used = new Set<string>();
  /** The next suffix to try per id, because all calls may share one id. */
  const tried = new Map<string, number>();
  for (const [at, call] of calls.entries()) {
    const { id } = call;
    const base = bases[at] ?? '_';
    let name = base;
    for (let n = tried.get(base) ?? 2; used.has(name) || (name !== id && taken.has(name)); n += 1) {
      tried.set(base, n + 1);
      const suffix = `_${n}`;
      name = `${base.slice(0, ID_MAX[format] - suffix.length)}${suffix}`;
    }
    used.add(name);
    ids.set(call, name);
    if (name !== id) notes.push({ action: 'renamed-call', callId: id, to: name });
  }
  return { idOf: (call) => (call && ids.get(call)) ?? '_', taken: [...bases, ...used], notes };
};

/** A tool's name in the form that the provider accepts. */
export const toolName = (name: string, format: WireFormat): string => fitting(name, NAME_MAX[format]);

const isFitting = (value: string, max: number): boolean => value.length <= max && FITS.test(value);
const fitting = (value: string, max: number): string =>
  isFitting(value, max) ? value : value.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, max) || '_';
const FITS = /^[A-Za-z0-9_-]+$/;
