import { sessionOf } from '@app/kernel';
import { base64, formatVerifierKey } from '@app/tlog';
import type { Bundle } from '../bundle/bundle.js';
import { CutBundle, MalformedBundle, readBundle } from '../bundle/read-bundle.js';
import type { YieldToLoop } from '../yield.js';
import { checkErasure, destroyedIn } from './erasure.js';
import { checkInclusion, checkLeaves } from './leaves.js';
import {
  type Fault,
  type Report,
  STEPS,
  type Step,
  type StepReport,
  witnessText,
  worstOf,
} from './report.js';
import { checkHeads, type Trust, trustOf } from './trust.js';

/** Result of the replay of a session's decisions; `notChecked` gives the reason for no replay. */
export type Replayed = {
  readonly faults: readonly string[];
  readonly checked: string;
  readonly notChecked?: string;
};

type VerifyOptions = Trust & {
  /** Replays the events of a bundle whose other steps have passed. */
  readonly replay?: (bundle: Bundle) => Promise<Replayed>;
  readonly yieldToLoop?: YieldToLoop;
};

const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

/** Verifies a bundle without any secret, service or network. Reports the faults of a file instead of throwing. */
export const verifyBundle = async (bytes: Uint8Array, options: VerifyOptions = {}): Promise<Report> => {
  const unread = (outcome: 'malformed' | 'incomplete', detail: string): Report => ({
    outcome,
    steps: STEPS.map((step) => ({ step, status: 'not-checked', detail: 'the file cannot be read' })),
    faults: [{ step: 'leaves', outcome, detail }],
    ...{ witnesses: [], missingWitnesses: [], quorum: 'not-met' },
    trust: options.policy ? 'policy' : 'file',
  });
  let bundle: Bundle;
  try {
    bundle = await readBundle(bytes, options.yieldToLoop);
  } catch (error) {
    if (error instanceof MalformedBundle) return unread('malformed', error.message);
    if (error instanceof CutBundle) return unread('incomplete', error.message);
    throw error;
  }
  return new Verification(bundle, options).report();
};

const CUT = 'the end of the file is missing';

class Verification {
  readonly #faults: Fault[] = [];
  readonly #notes = new Map<Step, string>();
  readonly #skipped = new Set<Step>();

  constructor(
    private readonly bundle: Bundle,
    private readonly options: VerifyOptions,
  ) {}

  async report(): Promise<Report> {
    const { bundle } = this;
    const { yieldToLoop } = this.options;
    const { events, receipts, log, manifest, inclusion } = bundle;
    const { last, faults } = await checkLeaves(bundle, yieldToLoop);
    this.#found('leaves', faults, `the last leaf was computed from ${counted(events.length, 'event')}`);
    const heads = await checkHeads(bundle, this.options, yieldToLoop);
    this.#faults.push(...heads.faults);
    const complete = checkCompleteness(bundle);
    const isCut = events.length < manifest.events.count || bundle.signature === undefined;
    if (!heads.checkpoint) this.#skip('inclusion', 'the checkpoint cannot be read');
    else if (isCut || !last) this.#skip('inclusion', CUT);
    else {
      const place = `it has the place ${inclusion.index} in the tree of ${manifest.size} leaves`;
      this.#found('inclusion', checkInclusion(bundle, last, heads.checkpoint), place);
    }
    const trust = trustOf(bundle, this.options);
    const isRemembered = this.options.remembered?.some(({ origin }) => origin === manifest.origin);
    const remembered = isRemembered ? ' and the remembered one' : '';
    this.#notes.set('consistency', `the checkpoint continues ${log.heads.length} older ones${remembered}`);
    const { cosigned: witnesses, missing: missingWitnesses, quorum } = heads.witnesses;
    this.#notes.set(
      'signatures',
      `the log's key ${heads.keys[0] ? formatVerifierKey(heads.keys[0]) : ''} has signed checkpoint and file; ${witnessText({ witnesses, missingWitnesses, quorum })}`,
    );
    this.#found(
      'completeness',
      complete,
      `${counted(events.length, 'event')} without a gap, as the manifest says`,
    );
    const erased = destroyedIn(receipts);
    const keys = erased.all ? 'all keys until then' : counted(erased.keys.size, 'destroyed key');
    if (isCut) this.#skip('erasure', CUT);
    else this.#found('erasure', checkErasure(bundle), `${counted(receipts.length, 'receipt')} for ${keys}`);
    await this.#replay();
    const outcome = worstOf(this.#faults);
    const isValid = outcome === 'valid' && heads.accepted !== undefined;
    return {
      outcome,
      steps: STEPS.map((step) => this.#stepReport(step)),
      faults: this.#faults,
      manifest,
      ...{ witnesses, missingWitnesses, quorum, trust },
      ...(isValid && {
        head: {
          origin: manifest.origin,
          size: manifest.size,
          root: base64(heads.accepted.checkpoint.root),
          keys: heads.keys.map(formatVerifierKey),
        },
      }),
    };
  }

  /** Only events that are as they were recorded are worth a replay. */
  async #replay(): Promise<void> {
    const { replay } = this.options;
    const failed = this.#faults.length > 0;
    const replayed = failed ? undefined : await replay?.(this.bundle);
    const why = failed ? 'another step has failed' : 'this verifier does not replay decisions';
    if (!replayed || replayed.notChecked !== undefined) this.#skip('replay', replayed?.notChecked ?? why);
    else {
      const faults = replayed.faults.map((detail): Fault => ({ step: 'replay', outcome: 'invalid', detail }));
      this.#found('replay', faults, replayed.checked);
    }
  }

  #found(step: Step, faults: readonly Fault[], note: string): void {
    this.#faults.push(...faults);
    this.#notes.set(step, note);
  }

  #skip(step: Step, why: string): void {
    this.#skipped.add(step);
    this.#notes.set(step, why);
  }

  #stepReport(step: Step): StepReport {
    const own = this.#faults.filter((fault) => fault.step === step);
    if (own.length > 0) {
      const more = own.length > 1 ? ` (and ${own.length - 1} more)` : '';
      return { step, status: 'failed', detail: `${own[0]?.detail}${more}` };
    }
    const detail = this.#notes.get(step) ?? '';
    return { step, status: this.#skipped.has(step) ? 'not-checked' : 'passed', detail };
  }
}

/** Returns the faults in the revisions of the session's stream: each one once, in order, as many as the manifest says. */
const checkCompleteness = ({ manifest, events, signature }: Bundle): readonly Fault[] => {
  const { first, last, count } = manifest.events;
  const fault = (outcome: 'invalid' | 'incomplete', detail: string): Fault => ({
    ...{ step: 'completeness', outcome, detail },
  });
  const named = sessionOf(manifest.stream);
  if (named?.tenant !== manifest.tenant || named.session !== manifest.session)
    return [fault('invalid', 'the events are of another session than the manifest names')];
  if (count === 0 || last - first + 1 !== count)
    return [fault('invalid', `the manifest counts ${count} events from ${first} to ${last}`)];
  const gap = events.findIndex(({ event }, at) => event.revision !== first + at);
  if (gap >= 0)
    return [fault('invalid', `revision ${events[gap]?.event.revision} is in the place of ${first + gap}`)];
  if (events.length > count) return [fault('invalid', `the file has ${events.length} of ${count} events`)];
  if (events.length < count)
    return [fault('incomplete', `the file ends after ${events.length} of ${count} events`)];
  return signature === undefined ? [fault('incomplete', 'the file ends before its signature')] : [];
};
