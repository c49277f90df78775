import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';

/** Milliseconds for which a code signs in. */
const CODE_MS = 15 * 60_000;

/** Codes that sign a browser in once, in the memory of the process that has printed them. */
@Injectable()
export class OneTimeCodes {
  /** Time of expiry by the SHA-256 of the code. */
  private readonly codes = new Map<string, number>();

  /** Returns a new code of 256 random bits. */
  issue(): string {
    const code = randomBytes(32).toString('base64url');
    this.codes.set(hashOf(code), Date.now() + CODE_MS);
    return code;
  }

  /** Redeems a code; returns whether it was valid. */
  redeem(code: string): boolean {
    const hash = hashOf(code);
    const until = this.codes.get(hash);
    this.codes.delete(hash);
    return until !== undefined && Date.now() < until;
  }
}

const hashOf = (code: string): string => createHash('sha256').update(code).digest('hex');
