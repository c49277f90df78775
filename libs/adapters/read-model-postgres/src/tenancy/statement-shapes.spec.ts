import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { asked, StatementShapes } from './statement-shapes.js';

type Question = { readonly name?: string; readonly limit: number };

const db = new Kysely<{ people: { name: string } }>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

const people = ({ name }: Question) => {
  const all = db
    .selectFrom('people')
    .select('name')
    .limit(asked(({ limit }: Question) => limit));
  return name === undefined
    ? all
    : all.where(
        'name',
        '=',
        asked((question: Question) => question.name ?? ''),
      );
};

describe('a cached statement', () => {
  it('is built once per shape, with the values of each query in their positions', () => {
    const shapes = new StatementShapes<Question, { name: string }>();
    const built: Question[] = [];
    const statement = (question: Question) =>
      shapes.statement(Object.keys(question).join(), question, () => {
        built.push(question);
        return people(question);
      });

    const first = statement({ name: 'Ada', limit: 2 });
    const second = statement({ name: 'Grace', limit: 3 });
    const other = statement({ limit: 4 });

    expect(first).toMatchObject({
      sql: 'select "name" from "people" where "name" = $1 limit $2',
      parameters: ['Ada', 2],
    });
    expect(second).toMatchObject({ sql: first.sql, parameters: ['Grace', 3] });
    expect(other).toMatchObject({ sql: 'select "name" from "people" limit $1', parameters: [4] });
    expect(built).toEqual([{ name: 'Ada', limit: 2 }, { limit: 4 }]);
  });

  it('is evicted for a newer one when the cache is full', () => {
    const shapes = new StatementShapes<Question, { name: string }>();
    let builds = 0;
    const ask = (shape: string) =>
      shapes.statement(shape, { limit: 1 }, () => {
        builds += 1;
        return people({ limit: 1 });
      });

    for (let number = 0; number <= 500; number += 1) ask(`shape ${number}`);
    ask('shape 500');
    ask('shape 1');
    expect(builds).toBe(501);
    ask('shape 0');
    expect(builds).toBe(502);
  });
});
