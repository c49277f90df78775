import type { FoundModelView, ModelView } from '@app/application';

/** Renders a model on a few lines; each figure names its source. */
export const modelText = (model: FoundModelView): string => {
  const { evidence, aliases, rules } = model;
  return [
    `${model.id} of ${model.vendor}, ${model.lifecycle}; limits from: ${model.origin}`,
    ...(aliases.length > 0 ? [`  aliases    ${aliases.join(', ')}`] : []),
    ...(rules.length > 0 ? [`  read as    ${rules.join(', ')} (${model.seller})`] : []),
    `  window     ${model.window}`,
    `  input      ${model.inputMax ?? 'as the window allows'}`,
    `  output     ${model.outputMax ?? 'not known'}`,
    `  tokenizer  ${model.tokenizer ?? 'not known'}`,
    `  source     ${evidenceText(evidence)}`,
    ...(model.prices.length === 0 ? ['  price      not known'] : model.prices.flatMap(priceLines)),
  ].join('\n');
};

const priceLines = ({
  from,
  rates,
  longPrompt,
  evidence,
}: ModelView['prices'][number]): readonly string[] => [
  `  price      ${from === undefined ? '' : `from ${from}: `}${ratesText(rates)}`,
  ...(longPrompt ? [`             above ${longPrompt.above} tokens: ${ratesText(longPrompt.rates)}`] : []),
  `             ${evidenceText(evidence)}`,
];

type Rates = ModelView['prices'][number]['rates'];
/** US dollars per million tokens. */
const ratesText = ({ input, output, cacheRead, cacheWrite, cacheWrite1h }: Rates): string =>
  [
    `input ${input}`,
    `output ${output}`,
    ...(cacheRead === undefined ? [] : [`cache read ${cacheRead}`]),
    ...(cacheWrite === undefined ? [] : [`cache write ${cacheWrite}`]),
    ...(cacheWrite1h === undefined ? [] : [`for an hour ${cacheWrite1h}`]),
  ].join(', ');

const evidenceText = ({ source, asOf, confidence, note }: FoundModelView['evidence']): string =>
  `${source}, ${asOf}, ${confidence} confidence${note === undefined ? '' : `. ${note}`}`;
