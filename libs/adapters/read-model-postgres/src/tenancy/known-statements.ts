import type pg from 'pg';

/** Statements that a connection knows by name: the server holds some 50 kB for each. Further ones are told each time. */
const KNOWN_MAX = 40;

const OF_CONNECTIONS = new WeakMap<pg.Connection, KnownStatements>();

/**
 * What a connection has been told once need not be told, and taken apart, again. Its plan is made anew each time, for
 * the values that are asked with.
 */
export class KnownStatements {
  static of(connection: pg.Connection): KnownStatements {
    const known = OF_CONNECTIONS.get(connection) ?? new KnownStatements(connection);
    OF_CONNECTIONS.set(connection, known);
    return known;
  }

  readonly #names = new Map<string, string>();
  #namesMax = KNOWN_MAX;
  #told: { readonly text: string; readonly name: string }[] = [];
  #count = 0;

  private constructor(private readonly connection: pg.Connection) {
    // Only what has been understood is known: the server answers what it was told in that order.
    connection.on('parseComplete', () => {
      const told = this.#told.shift();
      if (told && told.name !== '') this.#names.set(told.text, told.name);
    });
  }

  /** Binds a statement to its values, as what is executed next. */
  bind(text: string, values: (string | null)[]): void {
    const statement = this.#names.get(text) ?? this.#tell(text);
    this.connection.bind({ statement, values }, true);
  }

  /** The batch is over: of one that failed, nothing more is answered. */
  end(): void {
    this.#told = [];
  }

  /** The server has forgotten one: somebody between it and us shares its connections out, and names are of no use. */
  giveUp(): void {
    this.#names.clear();
    this.#namesMax = 0;
  }

  #tell(text: string): string {
    this.#count += 1;
    const name = this.#names.size < this.#namesMax ? `tenant_${this.#count}` : '';
    this.#told.push({ text, name });
    this.connection.parse({ name, text, types: [] }, true);
    return name;
  }
}
