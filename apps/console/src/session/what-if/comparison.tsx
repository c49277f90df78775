import type { TurnRetention } from '@app/client';
import { useState } from 'preact/hooks';
import { api } from '../../api.js';
import { Loaded } from '../../parts/basics.js';
import { ChoiceField } from '../../parts/fields.js';
import { useResource } from '../../parts/resource.js';
import { Table } from '../../parts/table.js';
import { count } from '../../parts/text.js';
import { hrefOf } from '../../router.js';
import { isResult, measures, stagesOf, type Trial } from './trials.js';

type Props = {
  readonly session: string;
  readonly revision: number;
  readonly trials: readonly Trial[];
};

/** Two policies side by side: their measures, and the turns that they treat differently. */
export const Comparison = ({ session, revision, trials }: Props) => {
  const [chosen, setChosen] = useState<readonly [string, string]>(['', '']);
  const pick = (name: string, other: Trial | undefined): Trial | undefined =>
    trials.find((one) => one.name === name) ?? other;
  const a = pick(chosen[0], trials[0]);
  // A policy that would compact is more informative than one that would not.
  const others = trials.filter((one) => one !== a);
  const b = pick(chosen[1], others.findLast(isResult) ?? others.at(-1));
  if (!a || !b || a === b) return null;
  const names = trials.map(({ name }) => name);
  return (
    <section aria-label="Comparison of two policies">
      <h2>Side by side</h2>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <ChoiceField
          title="Policy A"
          value={a.name}
          options={names}
          onValue={(name) => setChosen([name, b.name])}
        />
        <ChoiceField
          title="Policy B"
          value={b.name}
          options={names}
          onValue={(name) => setChosen([a.name, name])}
        />
      </form>
      <Table
        label="Measures of both"
        rows={[...measures, { title: 'Stages', text: stagesOf }]}
        keyOf={({ title }) => title}
        columns={[
          { title: 'Measure', isHead: true, cell: ({ title }) => title },
          { title: `A: ${a.name}`, isNumber: true, cell: ({ text }) => text(a) },
          { title: `B: ${b.name}`, isNumber: true, cell: ({ text }) => text(b) },
          { title: 'Differs', cell: ({ text }) => (text(a) === text(b) ? '' : '≠ differs') },
        ]}
      />
      <Turns session={session} revision={revision} a={a} b={b} />
    </section>
  );
};

type TurnsProps = Omit<Props, 'trials'> & { readonly a: Trial; readonly b: Trial };

const Turns = ({ session, revision, a, b }: TurnsProps) => {
  const plans = useResource(
    (signal) =>
      Promise.all(
        [a, b].map(async ({ source }) => {
          const input = source === undefined ? {} : { profile: source };
          const { plan } = await api().compactions.plan(session, input, { signal });
          return plan?.retention ?? [];
        }),
      ),
    [session, revision, a.name, b.name, a.source, b.source],
  );
  return (
    <Loaded of={plans} what="the plans">
      {([inA = [], inB = []]) => {
        const spans = differencesOf(inA, inB);
        return spans.length === 0 ? (
          <p class="muted">Both treat every turn alike.</p>
        ) : (
          <Table
            label="Turns that differ"
            rows={spans}
            keyOf={({ first }) => first.turn}
            columns={[
              {
                title: 'Turns that differ',
                isHead: true,
                cell: ({ first, last }) => (
                  <a href={hrefOf(['sessions', session, 'messages', first.from])}>
                    {first === last ? count(first.turn) : `${count(first.turn)} to ${count(last.turn)}`}
                  </a>
                ),
              },
              { title: 'Counted tokens', isNumber: true, cell: ({ tokens }) => count(tokens) },
              { title: 'A', cell: (span) => span.a },
              { title: 'B', cell: (span) => span.b },
            ]}
          />
        );
      }}
    </Loaded>
  );
};

type Span = {
  readonly first: TurnRetention;
  readonly last: TurnRetention;
  readonly tokens: number;
  readonly a: string;
  readonly b: string;
};

/** Returns the turns that two plans treat differently; neighbours with the same difference are one span. */
const differencesOf = (a: readonly TurnRetention[], b: readonly TurnRetention[]): readonly Span[] => {
  const [inA, inB] = [byTurn(a), byTurn(b)];
  const spans: Span[] = [];
  for (const turn of [...new Set([...inA.keys(), ...inB.keys()])].sort((x, y) => x - y)) {
    const known = inA.get(turn) ?? inB.get(turn);
    const [ruleA, ruleB] = [ruleIn(inA, turn), ruleIn(inB, turn)];
    if (!known || ruleA === ruleB) continue;
    const before = spans.at(-1);
    const continues = before?.last.turn === turn - 1 && before.a === ruleA && before.b === ruleB;
    const span = { first: known, tokens: 0, ...(continues && before), last: known, a: ruleA, b: ruleB };
    if (continues) spans.pop();
    spans.push({ ...span, tokens: span.tokens + known.tokens });
  }
  return spans;
};

const byTurn = (turns: readonly TurnRetention[]): ReadonlyMap<number, TurnRetention> =>
  new Map(turns.map((one) => [one.turn, one]));

/** A plan that does not name a turn leaves it as it is. */
const ruleIn = (turns: ReadonlyMap<number, TurnRetention>, turn: number): string => {
  const { rule = 'verbatim', toolOutputs = 'none' } = turns.get(turn) ?? {};
  return ['none', 'verbatim', 'summarized'].includes(toolOutputs) ? rule : `${rule}, outputs ${toolOutputs}`;
};
