import { AppError, type IsoTime } from '@app/kernel';
import { candidatesOf, type NameRule, type Seller } from './names.js';
import type { ModelOrigin, ModelOverride, ModelRecord, PriceList, TokenizerFamily } from './record.js';

/** All known models and tokenizers. */
export type ModelCatalog = {
  readonly models: readonly ModelRecord[];
  readonly tokenizers: readonly TokenizerFamily[];
  /** The model of each vendor that summarizes sessions of other vendors' models; the first of a vendor counts. */
  readonly summarizers: readonly { readonly vendor: string; readonly model: string }[];
};
export const NO_MODELS: ModelCatalog = { models: [], tokenizers: [], summarizers: [] };

/** A model as it was found under the name that was asked for. */
export type FoundModel = {
  readonly record: ModelRecord;
  readonly seller: Seller;
  /** The rules that resolved the name; empty for an id or alias. */
  readonly rules: readonly NameRule[];
};

/** Returns the model of a name: by id, alias or resolution rules; `undefined` for an unknown one. */
export const findModel = ({ models }: ModelCatalog, name: string): FoundModel | undefined => {
  for (const { name: candidate, seller, rules } of candidatesOf(name)) {
    const record =
      models.find(({ id }) => id === candidate) ?? models.find(({ aliases }) => aliases.includes(candidate));
    // A model listed under a seller's own name is that seller's.
    if (record) return { record, seller, rules };
  }
  return undefined;
};

/** @throws {AppError} `unknown-model`. */
export const requireModel = (catalog: ModelCatalog, name: string): FoundModel => {
  const found = findModel(catalog, name);
  if (found) return found;
  throw new AppError(
    'unknown-model',
    `the model "${name.slice(0, 64)}" is unknown: describe it for the tenant, or take one that \`palimpsest models\` lists`,
  );
};

/** Returns the tokenizer of a model, if known. */
export const tokenizerOf = (catalog: ModelCatalog, name: string): TokenizerFamily | undefined => {
  const family = findModel(catalog, name)?.record.tokenizer;
  return catalog.tokenizers.find((one) => one.family === family);
};

/** Returns the prices of a model in force at `at`; `undefined` if there were none or they are unknown. */
export const pricesAt = ({ prices }: ModelRecord, at: IsoTime): PriceList | undefined =>
  prices.findLast(({ from }) => from === undefined || from <= at.slice(0, '2026-11-21'.length));

/** Returns a catalog with the overrides of `origin`, field by field; unknown models are added. */
export const overlaid = (
  catalog: ModelCatalog,
  overrides: readonly ModelOverride[],
  origin: ModelOrigin,
): ModelCatalog => {
  if (overrides.length === 0) return catalog;
  const models = new Map(catalog.models.map((record) => [record.id, record]));
  for (const override of overrides) {
    const record = applied(models.get(override.id), override, origin);
    if (record) models.set(override.id, record);
  }
  return { ...catalog, models: [...models.values()] };
};

/** Returns `undefined` for an unknown model without a window, because no limits can be derived. */
const applied = (
  known: ModelRecord | undefined,
  override: ModelOverride,
  origin: ModelOrigin,
): ModelRecord | undefined => {
  const { window } = override;
  if (known) return { ...known, ...override, origin };
  if (window === undefined) return undefined;
  const evidence = { source: `the ${origin}'s word`, asOf: 'unknown', confidence: 'medium' } as const;
  const blank = { vendor: 'unknown', aliases: [], lifecycle: 'active', prices: [], evidence } as const;
  return { ...blank, ...override, window, origin };
};
