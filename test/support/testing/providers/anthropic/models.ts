/** The properties of an Anthropic model that the API shows. */
export type AnthropicModel = {
  readonly id: string;
  /** Tokens of input and output together. */
  readonly window: number;
  readonly outputMax: number;
  /** Whether the last message may be the assistant's. */
  readonly prefill: boolean;
  readonly thinking: readonly ('enabled' | 'adaptive' | 'disabled')[];
  /** Whether `tool_choice` may be `any` or `tool`. */
  readonly forcesTools: boolean;
  /** Whether a thinking block is readable only after the prefix that it was written after. */
  readonly bindsThinking: boolean;
  /** Whether thinking of earlier turns stays in the prompt. */
  readonly keepsThinking: boolean;
  /** Whether input and `max_tokens` may exceed the window: then the answer stops when the window is full. */
  readonly stopsAtWindow: boolean;
  /** Whether messages of the role `system` are accepted. */
  readonly systemMessages: boolean;
  readonly compactsAtThreshold: boolean;
  readonly compactsOnDemand: boolean;
  /** The smallest cached prompt in tokens. */
  readonly cacheMin: number;
};

const NEWEST: Omit<AnthropicModel, 'id'> = {
  window: 1_000_000,
  outputMax: 128_000,
  prefill: false,
  thinking: ['adaptive'],
  forcesTools: false,
  bindsThinking: true,
  keepsThinking: true,
  stopsAtWindow: true,
  systemMessages: true,
  compactsAtThreshold: true,
  compactsOnDemand: true,
  cacheMin: 512,
};
const UNBOUND = { ...NEWEST, forcesTools: true, bindsThinking: false, cacheMin: 1_024 };
const OLD: Omit<AnthropicModel, 'id'> = {
  ...UNBOUND,
  window: 200_000,
  outputMax: 64_000,
  prefill: true,
  thinking: ['enabled', 'disabled'],
  systemMessages: false,
  keepsThinking: false,
  compactsAtThreshold: false,
  compactsOnDemand: false,
  cacheMin: 4_096,
};

const MODELS: Readonly<Record<string, Omit<AnthropicModel, 'id'>>> = {
  'claude-fable-5-2': NEWEST,
  'claude-mythos-5-2': NEWEST,
  'claude-fable-5-1': NEWEST,
  'claude-mythos-5-1': NEWEST,
  'claude-opus-5-5': NEWEST,
  'claude-sonnet-5-5': { ...NEWEST, thinking: ['adaptive', 'disabled'] },
  'claude-haiku-5-5': { ...UNBOUND, keepsThinking: false, thinking: ['adaptive', 'disabled'] },
  'claude-fable-5': UNBOUND,
  'claude-mythos-5': UNBOUND,
  'claude-opus-5': { ...UNBOUND, thinking: ['adaptive', 'disabled'], cacheMin: 512 },
  'claude-sonnet-5': { ...UNBOUND, thinking: ['adaptive', 'disabled'] },
  'claude-opus-4-8': { ...UNBOUND, thinking: ['adaptive', 'disabled'] },
  'claude-opus-4-7': {
    ...UNBOUND,
    thinking: ['adaptive', 'disabled'],
    systemMessages: false,
    cacheMin: 2_048,
  },
  'claude-opus-4-6': {
    ...UNBOUND,
    thinking: ['enabled', 'adaptive', 'disabled'],
    systemMessages: false,
    cacheMin: 4_096,
  },
  'claude-sonnet-4-6': {
    ...UNBOUND,
    outputMax: 64_000,
    thinking: ['enabled', 'adaptive', 'disabled'],
    systemMessages: false,
  },
  'claude-opus-4-5': { ...OLD, keepsThinking: true },
  'claude-haiku-4-5': OLD,
  'claude-sonnet-4-5': { ...OLD, cacheMin: 1_024 },
  'claude-opus-4-1': { ...OLD, outputMax: 32_000, stopsAtWindow: false, cacheMin: 1_024 },
};

export type AnthropicModels = {
  readonly find: (id: string) => AnthropicModel | undefined;
  readonly all: () => readonly AnthropicModel[];
  /** Whether a model may read the thinking of `writer`: the same model may, and every newer one. */
  readonly reads: (reader: string, writer: string) => boolean;
};

export type ModelChanges = {
  /** Windows in tokens by model: small ones make overflow cheap. Unknown models are like the newest. */
  readonly windows?: Readonly<Record<string, number>>;
  /** Other properties by model. */
  readonly models?: Readonly<Record<string, Partial<Omit<AnthropicModel, 'id'>>>>;
};

export const anthropicModels = ({ windows = {}, models = {} }: ModelChanges): AnthropicModels => {
  const ids = new Set([...Object.keys(MODELS), ...Object.keys(windows), ...Object.keys(models)]);
  const table = new Map<string, AnthropicModel>();
  for (const id of ids) {
    const window = windows[id];
    const base = MODELS[id] ?? MODELS[withoutDate(id)] ?? NEWEST;
    table.set(id, { ...base, ...(window !== undefined && { window }), ...models[id], id });
  }
  const find = (id: string) => table.get(id) ?? table.get(withoutDate(id));
  return {
    find,
    all: () => [...table.values()],
    reads: (reader, writer) => reader === writer || ageOf(reader) <= ageOf(writer),
  };
};

/** The table begins with the newest model; unknown ones count as newest. */
const ageOf = (id: string): number => Object.keys(MODELS).indexOf(withoutDate(id));

const withoutDate = (id: string): string => id.replace(/-(?:\d{8}|latest)$/, '');
