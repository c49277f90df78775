import type { SummaryRequest, TokenCounter } from '@app/ports';
import { Draft } from './draft/draft.js';
import { fill } from './draft/fill.js';
import type { Section } from './facts/section.js';
import { fillingOf } from './filling.js';
import { materialOf } from './material.js';
import { worthIn } from './needs/expected-need.js';
import { commandsSection } from './sections/commands.js';
import { constraintsSection } from './sections/constraints.js';
import { decisionsSection } from './sections/decisions.js';
import { earlierSection } from './sections/earlier.js';
import { errorsSection } from './sections/errors.js';
import { factsSection } from './sections/facts.js';
import { filesSection } from './sections/files.js';
import { goalSection } from './sections/goal.js';
import { openPointsSection } from './sections/open-points.js';
import { stateSection } from './sections/state.js';
import { DEMANDS_PART, SHARES, shareOf } from './shares.js';

/**
 * Writes the summary of `request`, and yields between steps. Required sections come first with their shares,
 * then all demands of the user; remaining room is given to the most valuable lines; any rest is distributed once more.
 */
export function* writeSummary(request: SummaryRequest, counter: TokenCounter): Generator<void, string> {
  const draft = new Draft(counter, request.sizeMax);
  const offered: Section[] = [];
  const offer = (section: Section): void => {
    offered.push(section);
    draft.take(section, shareOf(SHARES[section.title], request.sizeMax));
  };
  const material = materialOf(request);
  yield;
  offer(goalSection(material));
  const constraints = constraintsSection(material);
  offer(constraints);
  offer(stateSection(material));
  yield;
  offer(errorsSection(material));
  offer(filesSection(material));
  offer(openPointsSection(material));
  offer(commandsSection(material));
  offer(decisionsSection(material));
  offer(earlierSection(material));
  draft.take(constraints, DEMANDS_PART * request.sizeMax, ({ isDemand = false }) => isDemand);
  yield;
  const worth = worthIn(material);
  yield;
  const facts = factsSection(material, worth);
  yield;
  fill(draft, [...offered, facts.section], fillingOf(material, worth, facts));
  yield;
  for (const section of offered) draft.take(section, Number.POSITIVE_INFINITY);
  return draft.finish();
}
