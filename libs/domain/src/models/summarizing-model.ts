import { findModel, type ModelCatalog } from './catalog.js';
import { candidatesOf } from './names.js';

/** Vendors of models outside the catalog, by the patterns of their names. */
const VENDOR_NAMES: readonly (readonly [vendor: string, form: RegExp])[] = [
  ['anthropic', /^claude\b/],
  ['openai', /^(?:gpt|chatgpt|codex|o\d)\b|^ft:(?:gpt|o\d)/],
  ['google', /^(?:gemini|gemma)\b/],
];

/** Returns the vendor of a model: from the catalog, else from the form of the name; `undefined` if unknown. */
export const vendorOf = (catalog: ModelCatalog, name: string): string | undefined => {
  const known = findModel(catalog, name)?.record.vendor;
  if (known !== undefined && known !== 'unknown') return known;
  const names = candidatesOf(name).map((candidate) => candidate.name);
  return VENDOR_NAMES.find(([, form]) => names.some((one) => form.test(one)))?.[0];
};

/** The model to request from a provider, and whether it is the session's own; `undefined` without one. */
export type SummarizingModel = { readonly model: string; readonly isSessionModel: boolean } | undefined;

export type SummarizerPlace = {
  readonly vendor: string;
  /** Whether it is asked at an address of the operator's own, where other vendors' models may be served. */
  readonly isOwnServer: boolean;
};

/**
 * Returns the model that summarizes a session at a provider without a configured model: the session's own if the
 * provider has it; else the vendor's summarizing model of the catalog. A provider is never asked for another vendor's
 * model. A model of an unknown vendor is requested only from the operator's own endpoint.
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

/** The vendor's API expects the vendor's name of a model, also if another company sells it. */
const ownModel = (catalog: ModelCatalog, sessionModel: string, isOwnServer: boolean): SummarizingModel => {
  const found = findModel(catalog, sessionModel);
  if (!found || found.seller === 'vendor' || isOwnServer)
    return { model: sessionModel, isSessionModel: true };
  return { model: found.record.id, isSessionModel: false };
};
