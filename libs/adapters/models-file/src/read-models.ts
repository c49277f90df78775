import { existsSync, readFileSync } from 'node:fs';
import { findModel, type ModelCatalog, type ModelOrigin, NO_MODELS, overlaid } from '@app/domain';
import { AppError, unreadableFile } from '@app/kernel';
import { installed } from '@app/ports';
import { modelsFile } from './schema.js';

/** Paths of model files; a missing file is ignored. */
export type ModelsFiles = {
  /** Models reported by the provider's endpoint, written by this engine. */
  readonly refreshed?: string;
  /** The operator's models; the file must exist. */
  readonly operator?: string;
};

/**
 * Returns the models of the installation: the shipped file, overridden by the provider's endpoint and then by the
 * operator.
 *
 * @throws {AppError} `invalid-configuration` for an invalid file, `unreadable-file`.
 */
export const readModels = ({ refreshed, operator }: ModelsFiles = {}): ModelCatalog => {
  const shipped = withFile(NO_MODELS, installed('models/models.json'), 'shipped');
  const fresh =
    refreshed !== undefined && existsSync(refreshed) ? withFile(shipped, refreshed, 'refreshed') : shipped;
  return operator === undefined ? fresh : withFile(fresh, operator, 'operator');
};

const withFile = (catalog: ModelCatalog, path: string, origin: ModelOrigin): ModelCatalog => {
  const parsed = modelsFile.safeParse(jsonIn(path));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw unusable(path, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it has another shape'}`);
  }
  const { models, tokenizers, summarizers } = parsed.data;
  const known = new Map([...catalog.tokenizers, ...tokenizers].map((one) => [one.family, one]));
  const stranger = models.find(({ tokenizer }) => tokenizer !== undefined && !known.has(tokenizer));
  if (stranger) throw unusable(path, `${stranger.id}: its tokenizer is unknown`);
  // Later files are first, because the first summarizer of a vendor is used.
  const common = { tokenizers: [...known.values()], summarizers: [...summarizers, ...catalog.summarizers] };
  const overridden = overlaid({ ...catalog, ...common }, models, origin);
  const unknown = summarizers.find(({ model }) => !findModel(overridden, model));
  if (unknown) throw unusable(path, `summarizers: the model ${unknown.model} is unknown`);
  return overridden;
};

const jsonIn = (path: string): unknown => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw unreadableFile(path, cause);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid-configuration', `the file of models ${path} is no JSON`, { cause });
  }
};

const unusable = (path: string, what: string): AppError =>
  new AppError('invalid-configuration', `the file of models ${path} is wrong: ${what}`);
