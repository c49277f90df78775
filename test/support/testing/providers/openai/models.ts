/** The properties of an OpenAI model that the API shows. */
export type OpenAiModel = {
  readonly id: string;
  /** The maximum input in tokens. */
  readonly inputMax: number;
  /** Tokens of input and output together, if the server enforces that, as compatible ones do. */
  readonly window?: number;
  readonly outputMax: number;
  /** Reasoning models reject `max_tokens` and sampling parameters in chat. */
  readonly reasons: boolean;
};

const NEWEST: Omit<OpenAiModel, 'id'> = { inputMax: 922_000, outputMax: 128_000, reasons: true };
const FIVE = { ...NEWEST, inputMax: 272_000 };
const FOUR_ONE: Omit<OpenAiModel, 'id'> = { inputMax: 1_014_808, outputMax: 32_768, reasons: false };
const FOUR_O: Omit<OpenAiModel, 'id'> = { inputMax: 128_000, outputMax: 16_384, reasons: false };

const MODELS: Readonly<Record<string, Omit<OpenAiModel, 'id'>>> = {
  'gpt-6.2-astra': NEWEST,
  'gpt-6.2-sol': NEWEST,
  'gpt-6.1-sol': NEWEST,
  'gpt-6.1-terra': NEWEST,
  'gpt-6-astra': NEWEST,
  'gpt-6-sol': NEWEST,
  'gpt-6-luna': NEWEST,
  'gpt-5.6-sol': NEWEST,
  'gpt-5.5': NEWEST,
  'gpt-5.4': NEWEST,
  'gpt-5.4-mini': FIVE,
  'gpt-5.2': FIVE,
  'gpt-5.1': FIVE,
  'gpt-5': FIVE,
  'gpt-5-mini': FIVE,
  'gpt-4.1': FOUR_ONE,
  'gpt-4.1-mini': FOUR_ONE,
  'gpt-4o': FOUR_O,
  'gpt-4o-mini': FOUR_O,
  'o4-mini': { inputMax: 200_000, outputMax: 100_000, reasons: true },
};

export type OpenAiModels = {
  readonly find: (id: string) => OpenAiModel | undefined;
  readonly all: () => readonly OpenAiModel[];
};

export type OpenAiModelChanges = {
  /** Input limits in tokens by model: small ones make overflow cheap. Unknown models are like the newest. */
  readonly windows?: Readonly<Record<string, number>>;
  readonly models?: Readonly<Record<string, Partial<Omit<OpenAiModel, 'id'>>>>;
};

export const openAiModels = ({ windows = {}, models = {} }: OpenAiModelChanges): OpenAiModels => {
  const ids = new Set([...Object.keys(MODELS), ...Object.keys(windows), ...Object.keys(models)]);
  const table = new Map<string, OpenAiModel>();
  for (const id of ids) {
    const inputMax = windows[id];
    const base = MODELS[id] ?? MODELS[withoutDate(id)] ?? NEWEST;
    table.set(id, { ...base, ...(inputMax !== undefined && { inputMax }), ...models[id], id });
  }
  return {
    find: (id) => table.get(id) ?? table.get(withoutDate(id)),
    all: () => [...table.values()],
  };
};

const withoutDate = (id: string): string => id.replace(/-\d{4}-\d{2}-\d{2}$/, '');
