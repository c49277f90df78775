import { findModel, type ModelCatalog } from './catalog.js';
import { candidatesOf } from './names.js';

/** Whose a model is that no catalog knows, by the names that vendors give to theirs. */
const VENDOR_NAMES: readonly (readonly [vendor: string, form: RegExp])[] = [
  ['anthropic', /^claude\b/],
  ['openai', /^(?:gpt|chatgpt|codex|o\d)\b|^ft:(?:gpt|o\d)/],
  ['google', /^(?:gemini|gemma)\b/],
];

/** The vendor of the model of that name: by the catalog, else by the form of the name; `undefined` where neither tells. */
export const vendorOf = (catalog: ModelCatalog, name: string): string | undefined => {
  const known = findModel(catalog, name)?.record.vendor;
  if (known !== undefined && known !== 'unknown') return known;
  const names = candidatesOf(name).map((candidate) => candidate.name);
  return VENDOR_NAMES.find(([, form]) => names.some((one) => form.test(one)))?.[0];
};

/** The model that a provider is asked for, and whether it is the session's own; `undefined` where there is none to ask for. */
export type SummarizingModel = { readonly model: string; readonly isSessionModel: boolean } | undefined;

export type SummarizerPlace = {
  readonly vendor: string;
  /** Whether it is asked at an address of the operator's own, where other vendors' models may be served. */
  readonly isOwnServer: boolean;
};

/**
 * The model that summarizes a session at a provider whose configuration names none: the session's own where it is the
 * provider's; the vendor's summarizing model of the catalog otherwise. A provider is never asked for another provider's
 * model. What nobody can tell the vendor of is asked for at an address of the operator's own alone.
 */
export const summarizingModel = (
  catalog: ModelCatalog,
  sessionModel: string,
  { vendor, isOwnServer }: SummarizerPlace,
): SummarizingModel => {
  const own = vendorOf(catalog, sessionModel);
  if (own === vendor) return ownModel(catalog, sessionModel, isOwnServer);
  const isUnknown = own === undefined && sessionModel !== 'unknown';
  if (isUnknown && isOwnServer) return { model: sessionModel, isSessionModel: true };
  const byDefault = catalog.summarizers.find((one) => one.vendor === vendor)?.model;
  return byDefault === undefined
    ? undefined
    : { model: byDefault, isSessionModel: byDefault === sessionModel };
};

/** At the vendor itself a model has its vendor's name, whoever has sold it to the session. */
const ownModel = (catalog: ModelCatalog, sessionModel: string, isOwnServer: boolean): SummarizingModel => {
  const found = findModel(catalog, sessionModel);
  if (!found || found.seller === 'vendor' || isOwnServer)
    return { model: sessionModel, isSessionModel: true };
  return { model: found.record.id, isSessionModel: false };
};
