import type pg from 'pg';

/** Prepared statements per connection: the server holds some 50 kB for each. Further ones are parsed each time. */
const KNOWN_MAX = 40;

const OF_CONNECTIONS = new WeakMap<pg.Connection, KnownStatements>();

/** Prepared statements of a connection, parsed once. Plans are made anew for the values of each execution. */
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
    // A statement counts as prepared once the server has parsed it; replies come in order.
    connection.on('parseComplete', () => {
      const told = this.#told.shift();
      if (told && told.name !== '') this.#names.set(told.text, told.name);
    });
  }

  /** Binds a statement to its values for the next execution. */
  bind(text: string, values: (string | null)[]): void {
    const statement = this.#names.get(text) ?? this.#tell(text);
    this.connection.bind({ statement, values }, true);
  }

  /** The batch is over: of one that failed, nothing more is answered. */
  end(): void {
    this.#told = [];
  }

  /** The server has lost a statement: a connection pooler is in between, so that prepared statements cannot be used. */
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
