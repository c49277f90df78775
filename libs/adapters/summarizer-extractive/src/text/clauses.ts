/** A clause that ends so near is not cut. */
const REST_MAX = 12;
const ENDS_CLAUSE = /[.,;:!?—]/;

/** Moves `start` and `end`, which are at blanks, outward to the ends of a clause of `line`, if near. */
export const clauseAround = (
  line: string,
  { start, end }: { readonly start: number; readonly end: number },
): { readonly start: number; readonly end: number } => {
  let from = start;
  while (from > 0 && start - from <= REST_MAX && !beginsClause(line, from)) from -= 1;
  let to = end;
  while (to < line.length && to - end <= REST_MAX && !endsClause(line, to)) to += 1;
  return {
    start: from === 0 || beginsClause(line, from) ? from : start,
    end: to === line.length || endsClause(line, to) ? to : end,
  };
};

const beginsClause = (line: string, at: number): boolean =>
  line[at - 1] === ' ' && ENDS_CLAUSE.test(line[at - 2] ?? '');
const endsClause = (line: string, at: number): boolean =>
  line[at] === ' ' && ENDS_CLAUSE.test(line[at - 1] ?? '');
