import type { logWitnesses, Shape } from '@app/contract';
import type { IsoTime, TenantId } from '@app/kernel';

/** A signed head of a log that a witness is to cosign, and the size of the tree that it has cosigned last, 0 for none. */
export type DueHead = {
  readonly tenant: TenantId;
  readonly size: number;
  readonly checkpoint: string;
  readonly cosignedSize: number;
};

/** Returns the newest heads that a witness has not cosigned. @throws once another process may do the same work. */
export type DueHeads = (witness: string) => Promise<readonly DueHead[]>;

/** The heads of logs as witnesses have cosigned them. Witnesses are named by their keys, as vkeys. */
export interface WitnessedLogs {
  /**
   * Runs work while no other process on the same database does it; waits for that.
   *
   * @throws the reason of `signal`.
   */
  alone(signal: AbortSignal, work: (due: DueHeads) => Promise<void>): Promise<void>;
  /** Keeps a cosignature, as a line of a note; one of a head from before the log's newest key is dropped. */
  cosigned(head: DueHead, witness: string, line: string): Promise<void>;
  /** Notes why a witness has not cosigned; returns whether it had no problem before. */
  failed(head: DueHead, witness: string, problem: string): Promise<boolean>;
}

/** The answer of a witness: HTTP status and text. */
export type WitnessReply = { readonly status: number; readonly body: string };

/**
 * Posts a body of `add-checkpoint` to the submission prefix of a witness.
 *
 * @throws {WitnessUnreachable} for no answer in time, or one that is too long.
 */
export type SubmitToWitness = (prefix: string, body: string, signal: AbortSignal) => Promise<WitnessReply>;

/** A witness gave no answer that can be read; the message says why. */
export class WitnessUnreachable extends Error {
  override readonly name = 'WitnessUnreachable';
}

/** Submits heads of logs to witnesses, until `signal` aborts. */
export type WitnessRun = (signal: AbortSignal) => Promise<void>;

/** The witnesses of a log and the quorum that the log's policy demands. */
export type LogWitnesses = Shape<typeof logWitnesses>;

/** Lag of a witness, over all logs. */
export type WitnessLag = {
  readonly name: string;
  /** Logs whose newest head it has not cosigned, and those where its last answer was a problem. */
  readonly logsBehind: number;
  readonly logsFailing: number;
  /** Time of its newest cosignature. */
  readonly cosignedAt: IsoTime | null;
  /** Its problem that has lasted for the longest time, and since when. */
  readonly problem: string | null;
  readonly failingSince: IsoTime | null;
};

/** This installation as a witness of other logs (C2SP tlog-witness). */
export type WitnessReplyWithType = WitnessReply & { readonly type: string };

/** This installation as a witness for the logs of others. */
export interface OwnWitness {
  /** Returns its keys, as vkeys; none where it witnesses no log. */
  keys(): Promise<readonly string[]>;
  /**
   * Answers a body of `add-checkpoint`. A cosignature is returned once the tree is stored as the newest one of its log, in one
   * transaction with the comparison of the size.
   */
  addCheckpoint(body: string): Promise<WitnessReplyWithType>;
  /** Returns the checkpoint that it has cosigned last; `undefined` for none. @param originHash SHA-256, hexadecimal. */
  checkpoint(originHash: string): Promise<string | undefined>;
}
