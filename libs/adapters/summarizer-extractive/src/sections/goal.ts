import { quoted } from '@app/domain';
import { earlierGroups } from '../draft/earlier-groups.js';
import { itemsOf } from '../facts/previous.js';
import { type Group, LABELS, type Line, list, type Section } from '../facts/section.js';
import type { UserWords } from '../facts/user-words.js';
import type { Material } from '../material.js';
import { oneLine } from '../text/one-line.js';

const NO_REQUEST = 'No request of the user stands in this part.';

/** The requests in the user's own words: the newest and the first before all others, beginnings before ends. */
export const goalSection = ({ previous, said, covered, lineMax }: Material): Section => {
  const requests = [...previous.goal, ...said];
  const groups = requests.map((request, at): Group => {
    const isBetween = at > 0 && at < requests.length - 1;
    return quoteGroup(isBetween ? withoutOrders(request) : request, rankOf(at, requests.length));
  });
  const attached = covered.attachments.map(
    ({ id, text }, at): Line => ({ text: `${oneLine(text, lineMax)} [${id}]`, rank: at - 10_000 }),
  );
  const earlier = earlierGroups(
    itemsOf(previous, 'Goal').filter(({ text }) => text !== NO_REQUEST),
    -5_000,
  );
  const lines = [...groups, ...earlier, list(attached, LABELS.attached)];
  const isEmpty = lines.every((group) => group.lines.length === 0);
  return { title: 'Goal', groups: isEmpty ? [list([{ text: NO_REQUEST, rank: 0 }])] : lines };
};

/** Orders of requests between the first and the newest are under `Constraints`. */
const withoutOrders = ({ id, segments }: UserWords): UserWords => ({
  id,
  segments: segments.filter(({ strength }) => strength === 0),
});

const quoteGroup = ({ id, segments }: UserWords, rank: (at: number) => number): Group => ({
  kind: 'quote',
  id,
  lines: segments.map((segment) => ({ text: quoted(segment), rank: rank(segment.place) })),
});

/** Returns the rank of a sentence by its index in its text, for request `at` of `count`. */
const rankOf = (at: number, count: number): ((sentence: number) => number) => {
  if (at === count - 1) return (sentence) => 10_000 - 2 * sentence;
  if (at === 0) return (sentence) => 9_999 - 2 * sentence;
  return (sentence) => at - 40 * sentence;
};
