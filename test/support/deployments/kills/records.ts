/** One append of an agent: several messages, each with a mark in its text that no other has. */
export type Batch = {
  readonly marks: readonly string[];
  /** `unknown` if the caller gave up before an answer came. */
  readonly fate: 'acknowledged' | 'unknown';
};

/** The clients' own records of their acknowledged requests. */
export class Records {
  /** By session, in the order in which they were sent. */
  readonly batches = new Map<string, Batch[]>();
  /** Answers that only ask for patience, by code: how an outage looks from outside. */
  readonly outages = new Map<string, number>();
  /** Answers that no outage excuses. */
  readonly surprises: string[] = [];
  acknowledged = 0;
  private wake: () => void = () => {};

  opened(session: string): void {
    this.batches.set(session, []);
  }

  sent(session: string, batch: Batch): void {
    this.batches.get(session)?.push(batch);
    if (batch.fate !== 'acknowledged') return;
    this.acknowledged += 1;
    this.wake();
  }

  failed(code: string): void {
    this.outages.set(code, (this.outages.get(code) ?? 0) + 1);
  }

  /** Adds the sessions of other records, which are over. */
  include({ batches }: Records): void {
    for (const [session, sent] of batches) this.batches.set(session, sent);
  }

  /** Resolves once so many appends more have been acknowledged. */
  async more(count: number): Promise<void> {
    const goal = this.acknowledged + count;
    while (this.acknowledged < goal) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }
}
