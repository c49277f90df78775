import { CallLedger } from '../drafts/call-ledger.js';
import { IdTable } from '../drafts/id-index/id-table.js';

/** The calls of a session, of which a later record may give the results again. */
export class AnsweredCalls extends CallLedger {
  readonly #answered = new IdTable();

  override close(ownId: string | undefined, name: string | undefined): string {
    const id = super.close(ownId, name);
    this.#answered.add(id);
    return id;
  }

  isAnswered(id: string): boolean {
    return this.#answered.has(id);
  }
}
