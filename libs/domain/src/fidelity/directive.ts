/** 0: states or asks. 1: wishes, prefers or orders. 2: forbids, or demands without exception. */
export type Strength = 0 | 1 | 2;

/** Whole words of any script, which `\b` does not know. */
const anyOf = (words: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{M}])(?:${words
      .trim()
      .split(/\s*\n\s*/)
      .join('|')})(?![\\p{L}\\p{M}])`,
    'iu',
  );

const DEMANDS = anyOf(`
  must|never|always|don['’]?t|do not|does not|cannot|can['’]t|mustn['’]t|shouldn['’]t|only|forbidden|no longer
  under no circumstances|at all costs|required?|mandatory|no matter
  muss|müssen|musst|nie|niemals|immer|nicht|kein|keine|keinen|nur|darf|dürfen|ausschließlich|verboten
  toujours|jamais|doit|doivent|uniquement|seulement|interdit|ne pas
  siempre|nunca|debe|deben|solo|sólo|prohibido|jamás
  sempre|mai|deve|devono|soltanto|deve-se|não
  никогда|всегда|только|нельзя|должен|должна|должны|обязательно
`);
const WISHES = anyOf(`
  please|should|prefer|avoid|keep|use|using|make sure|ensure|instead|remember|without|need to|needs to|has to
  have to|want|wants|let['’]?s|let us|remove|add|rename|change|fix|to-?do|next|later|stop|leave|no
  bitte|soll|sollen|sollte|verwende|benutze|vermeide|lass|achte
  veuillez|il faut|évite|évitez|utilise|utilisez|garde|s['’]il (?:te|vous) pla[iî]t
  por favor|usa|usar|evita|evite|use|mantén|mantenha|hay que|tem que|per favore
  пожалуйста|нужно|надо|используй|используйте|не
`);
const DEMANDS_CJK =
  /必须|必須|不要|不得|不能|禁止|总是|總是|永远|只能|必ず|してはいけない|しないで|절대|반드시|항상|하지 ?마/u;
const WISHES_CJK = /请|請|应该|應該|避免|使用|保持|ください|下さい|べき|주세요|해야/u;

/** Returns how strongly a sentence binds the agent. A cheap heuristic with more false positives than misses. */
export const strengthOf = (sentence: string): Strength => {
  if (sentence.length < 4) return 0;
  if (DEMANDS.test(sentence) || DEMANDS_CJK.test(sentence)) return 2;
  return WISHES.test(sentence) || WISHES_CJK.test(sentence) ? 1 : 0;
};
