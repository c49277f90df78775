import { openSecretBox, type ReplaceableBox, type SecretKey } from '@app/adapters/secret-box';
import type { SecretBox } from '@app/ports';

/** Milliseconds between two looks at the key file. */
const LOOK_EVERY_MS = 1_000;

export type KeyReloadParts = {
  /** Reads the configured keys. @throws {AppError} for a file without keys. */
  readonly read: () => Promise<readonly SecretKey[]>;
  readonly box: ReplaceableBox;
  /** @throws {AppError} `installation-key-wrong`. */
  readonly requireKey: (box: SecretBox) => Promise<void>;
  /** Encrypts all values of older keys with the newest key. Idempotent. */
  readonly reseal: () => Promise<void>;
  readonly onReloaded: (keys: readonly SecretKey[]) => void;
  readonly onError: (error: unknown) => void;
};

/**
 * Exchanges the keys of the installation while the process runs: looks at the key file, and uses changed keys at once. Keys
 * that cannot be used are reported once, and the process continues with its usable keys.
 */
export class KeyReload {
  private readonly timer: NodeJS.Timeout;
  private looking: Promise<void> | undefined;
  private used: string;
  private reported = '';

  constructor(private readonly parts: KeyReloadParts) {
    this.used = namesOf(parts.box.keys);
    this.timer = setInterval(() => {
      this.looking ??= this.look().finally(() => {
        this.looking = undefined;
      });
    }, LOOK_EVERY_MS);
    this.timer.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
  }

  private async look(): Promise<void> {
    const { read, box, requireKey, reseal, onReloaded } = this.parts;
    try {
      const keys = await read();
      if (namesOf(keys) === this.used) return;
      await requireKey(openSecretBox(keys));
      box.replace(keys);
      await reseal();
      this.used = namesOf(keys);
      this.reported = '';
      onReloaded(keys);
    } catch (error) {
      this.report(error);
    }
  }

  /** The same error is reported once, until the keys have changed. */
  private report(error: unknown): void {
    const text = String(error);
    if (text !== this.reported) this.parts.onError(error);
    this.reported = text;
  }
}

const namesOf = (keys: readonly SecretKey[]): string => keys.map(({ id }) => id).join();
