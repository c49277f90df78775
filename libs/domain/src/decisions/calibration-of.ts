import { sumTokens, Tokens } from '@app/kernel';
import {
  type BillSample,
  type Calibration,
  calibrate,
  partTokens,
} from '../budget/calibration/calibration.js';
import { NO_TRAITS, sumTraits, type TextTraits, TRAITS } from '../budget/calibration/traits.js';
import { measureOf, splitByBill } from '../evolve/changes/report-usage.js';
import { isSameModel } from '../models/names.js';
import { entriesFrom, entryTraits, fixedTokens, traitsBesideMessages } from '../occupancy/occupancy.js';
import type { Entry } from '../session/entry.js';
import { mapGrown } from '../session/grow.js';
import { freedIn, freeingsOf } from '../session/marks.js';
import type { Measure, OpenSession } from '../session/state.js';
import { firstPlace } from '../turns/turns-of.js';
import type { RequestBill } from './commands.js';

/**
 * Returns the calibration after a bill; `undefined` if the bill measures nothing, or if the request omitted content
 * that cannot be reconstructed. `session` contains the billed answer.
 */
export const calibrationOf = (
  session: OpenSession,
  bill: RequestBill,
  perThousand: number,
): Calibration | undefined => {
  const measure = measureOf(session, bill);
  if (!measure || measure.prompt === 0 || !isSameModel(bill.model, session.model)) return undefined;
  return calibrationBy(session, measure, perThousand);
};

/** The same of a measure, wherever it is from. */
export const calibrationBy = (
  session: OpenSession,
  measure: Measure,
  perThousand: number,
): Calibration | undefined => {
  const sample = sampleOf(session, measure);
  const before = session.calibrations.find(({ model }) => model === session.model);
  if (!sample || sample.traits.tokens === 0) return undefined;
  return calibrate(before, session.model, sample, perThousand);
};

const sampleOf = (session: OpenSession, measure: Measure): BillSample | undefined => {
  const { usage } = session;
  if (measure.omittedTokens > 0) return undefined;
  const prompt = { counted: countedOf(session, measure), reported: measure.prompt };
  if (!usage) return wholeOf(session, measure, prompt);
  if (usage.omittedTokens > 0 || usage.messages >= measure.messages) return undefined;
  const news = entriesFrom(session, usage.messages).filter(({ position }) => position < measure.messages);
  const more = partTokens(session, measure.contributed - usage.contributed);
  return {
    traits: traitsOf(session, news),
    reported: measure.prompt - usage.prompt - more,
    isWhole: false,
    prompt,
  };
};

/** Returns the sample of the first bill of an epoch: all content without an earlier bill. */
const wholeOf = (
  session: OpenSession,
  { messages, prompt: reported, contributed }: Measure,
  prompt: BillSample['prompt'],
): BillSample => {
  const { billed, unbilled } = splitByBill(session, messages);
  const contributing = { ...session, request: { ...session.request, contributed: Tokens(contributed) } };
  const traits = sumTraits([traitsBesideMessages(contributing), traitsOf(session, unbilled)]);
  return { traits, reported: reported - billed, isWhole: true, prompt };
};

const countedOf = (session: OpenSession, { messages, contributed }: Measure): Tokens => {
  const { entries } = session;
  const carried = entries.slice(
    0,
    firstPlace(entries.length, (at) => (entries[at]?.position ?? 0) >= messages),
  );
  const beside = fixedTokens(session) - session.request.contributed + contributed;
  const tokens =
    freeingsOf(session).length === 0
      ? tokensOfEach(carried)
      : traitsLeft(session, carried).map((traits) => traits.tokens);
  return sumTokens([beside, session.pivot?.summaryTokens ?? 0, ...tokens]);
};

const tokensOfEach = mapGrown((entry: Entry) => entryTraits(entry).tokens);

/** Returns the traits of messages, without content removed by marks. */
const traitsOf = (session: OpenSession, entries: readonly Entry[]): TextTraits =>
  sumTraits(traitsLeft(session, entries));

/** Returns the same of each message. */
const traitsLeft = (session: OpenSession, entries: readonly Entry[]): readonly TextTraits[] => {
  const freedOf = freedIn(session);
  return entries.map((entry) => {
    const traits = entryTraits(entry);
    const freed = freedOf(entry);
    return freed > 0
      ? reduced(traits, Math.max(0, entry.tokens - freed) / Math.max(1, entry.tokens))
      : traits;
  });
};

const reduced = (traits: TextTraits, share: number): TextTraits => {
  const left = { ...NO_TRAITS };
  for (const trait of TRAITS) left[trait] = Math.round(traits[trait] * share);
  return left;
};
