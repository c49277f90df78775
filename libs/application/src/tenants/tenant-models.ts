import {
  type FoundModel,
  type ModelCatalog,
  type ModelRecord,
  overlaid,
  type PriceList,
  type Rates,
} from '@app/domain';
import type { TenantId } from '@app/kernel';
import type { ModelRegistry } from '@app/ports';
import type { TenantStore } from './tenant-store.js';
import { TenantValues } from './tenant-values.js';

/** Installed models with the descriptions of each tenant, cached. */
export class TenantModels implements ModelRegistry {
  private readonly catalogs: TenantValues<ModelCatalog>;

  constructor(
    tenants: TenantStore,
    readonly installed: ModelCatalog,
  ) {
    this.catalogs = new TenantValues(tenants, (state) =>
      state.status === 'registered' ? overlaid(installed, state.models, 'tenant') : installed,
    );
  }

  catalogFor(tenant: TenantId): Promise<ModelCatalog> {
    return this.catalogs.get(tenant);
  }
}

/** Prices in US dollars per million tokens, as vendors publish them. */
export type DollarRates = { readonly [Kind in keyof Rates]: number };
export type ModelView = Omit<ModelRecord, 'prices'> & {
  /** Oldest first. */
  readonly prices: readonly (Omit<PriceList, 'rates' | 'longPrompt'> & {
    readonly rates: DollarRates;
    readonly longPrompt?: { readonly above: number; readonly rates: DollarRates };
  })[];
};
/** A model found by a name. */
export type FoundModelView = ModelView & {
  readonly seller: FoundModel['seller'];
  /** Rules that resolved the name; empty for the model's ID or an alias. */
  readonly rules: readonly string[];
};

export const modelView = ({ prices, ...record }: ModelRecord): ModelView => ({
  ...record,
  prices: prices.map(({ rates, longPrompt, ...list }) => ({
    ...list,
    rates: dollars(rates),
    ...(longPrompt && { longPrompt: { above: longPrompt.above, rates: dollars(longPrompt.rates) } }),
  })),
});

/** One dollar per million tokens is a thousand nano-dollars per token. */
const dollars = ({ input, output, cacheRead, cacheWrite, cacheWrite1h }: Rates): DollarRates => ({
  input: input / 1_000,
  output: output / 1_000,
  ...(cacheRead !== undefined && { cacheRead: cacheRead / 1_000 }),
  ...(cacheWrite !== undefined && { cacheWrite: cacheWrite / 1_000 }),
  ...(cacheWrite1h !== undefined && { cacheWrite1h: cacheWrite1h / 1_000 }),
});
