import type { TenantId } from '@app/kernel';
import type { PostgresQueryResult } from 'kysely';
import pg from 'pg';
import { READER } from './reader-role.js';

/**
 * Planner hint: by an index, since a tenant's query never needs all rows; or by an index in the requested order, so
 * that a page is read without sorting all matching rows.
 */
export type Planning = 'by-index' | 'in-order';

/** Local to the transaction, so that later users of the connection do not inherit it. */
const BECOME = `select set_config('role', '${READER}', true), set_config('palimpsest.tenant', $1, true),
  set_config('transaction_read_only', 'on', true), set_config('enable_seqscan', 'off', true),
  set_config('plan_cache_mode', 'force_custom_plan', true)`;
const BEFORE: Readonly<Record<Planning, string>> = {
  'by-index': BECOME,
  'in-order': `${BECOME}, set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`,
};

const INVALID_STATEMENT_NAME = '26000';

/** A field of the driver that its types omit. */
type Described = { readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[] };
type Answered = { readonly fields: readonly (string | null)[] };
type Column = { readonly name: string; readonly read: (text: string) => unknown };

/**
 * Runs one statement as the reader role for a tenant, in one round trip: the settings precede it in the same batch.
 * PostgreSQL treats everything before a `Sync` as one transaction, and skips the rest after a failure, so that no
 * statement runs with another role.
 */
export class TenantQuery<Row> implements pg.Submittable {
  readonly result: Promise<PostgresQueryResult<Row>>;
  readonly #values: readonly (string | null)[];
  readonly #rows: Row[] = [];
  #columns: readonly Column[] = [];
  /** Rows are copies of it: of one shape from the beginning, they are made in half the time. */
  #blank: Readonly<Record<string, unknown>> = {};
  #statements = 0;
  #known: KnownStatements | undefined;
  #resolve: (result: PostgresQueryResult<Row>) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(
    private readonly who: { readonly tenant: TenantId; readonly planning: Planning },
    private readonly text: string,
    parameters: readonly unknown[],
    private readonly types: pg.CustomTypesConfig,
  ) {
    this.#values = parameters.map(textOf);
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: pg.Connection): void {
    const statements = KnownStatements.of(connection);
    this.#known = statements;
    connection.stream.cork();
    try {
      statements.bind(BEFORE[this.who.planning], [this.who.tenant]);
      connection.execute(null, true);
      statements.bind(this.text, [...this.#values]);
      connection.describe({ type: 'P' }, true);
      connection.execute(null, true);
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  handleRowDescription({ fields }: Described): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      read: this.types.getTypeParser(dataTypeID, 'text'),
    }));
    this.#blank = Object.fromEntries(fields.map(({ name }) => [name, null]));
  }

  handleDataRow({ fields }: Answered): void {
    if (this.#statements === 0) return; // Of the statement that goes before.
    const row = { ...this.#blank };
    let at = 0;
    for (const { name, read } of this.#columns) {
      const text = fields[at];
      if (typeof text === 'string') Reflect.set(row, name, read(text)); // A column of the statement: none of them is of others' naming.
      at += 1;
    }
    this.#rows.push(row as Row); // The columns are those of the statement, as with the driver's own queries.
  }

  handleCommandComplete(): void {
    this.#statements += 1;
  }

  handleError(error: unknown): void {
    this.#known?.end();
    if (error instanceof pg.DatabaseError && error.code === INVALID_STATEMENT_NAME) this.#known?.giveUp();
    this.#reject(error);
  }

  handleReadyForQuery(): void {
    this.#known?.end();
    this.#resolve({ command: 'SELECT', rowCount: this.#rows.length, rows: this.#rows });
  }
}

/** A parameter as PostgreSQL reads it. */
const textOf = (value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return timeText(value);
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      throw new TypeError(`a parameter of a tenant's query is no ${typeof value}`);
  }
};

/** PostgreSQL writes years before the first and after 9999 in its own way. */
const timeText = (time: Date): string => {
  const year = time.getUTCFullYear();
  const rest = time.toISOString().replace(/^[+-]?\d+/, '');
  return year > 0
    ? `${String(year).padStart(4, '0')}${rest}`
    : `${String(1 - year).padStart(4, '0')}${rest} BC`;
};

/** Prepared statements per connection: the server holds some 50 kB for each. Further ones are parsed each time. */
const KNOWN_MAX = 40;

const OF_CONNECTIONS = new WeakMap<pg.Connection, KnownStatements>();

/** Prepared statements of a connection, parsed once. Plans are made anew for the values of each execution. */
class KnownStatements {
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
