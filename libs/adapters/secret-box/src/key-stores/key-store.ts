import { AppError } from '@app/kernel';

/** Decrypts keys that a key store has encrypted. */
export type Unwrap = (wrapped: string) => Promise<string>;

/** A key store by its name in errors, and the settings to check if it does not answer. */
export type NamedStore = { readonly name: string; readonly settings: string };

/** @throws {AppError} `key-store-unreachable`: without an answer, or if the store refuses the caller. */
export const unreachable = ({ name, settings }: NamedStore, what: string, cause?: unknown): AppError =>
  new AppError('key-store-unreachable', `${name} ${what}: check ${settings}, and start again`, { cause });

/** @throws {AppError} `installation-key-wrong`: the store's key cannot decrypt it. */
export const wrongKey = ({ name }: NamedStore, key: string): AppError =>
  new AppError(
    'installation-key-wrong',
    `the key "${key}" of ${name} cannot decrypt the key of the installation: give the key file that was encrypted with it`,
  );
