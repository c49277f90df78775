import { type Message, type SessionEvent, textOf } from '@app/domain';
import { invariant } from '@app/kernel';

type Completed = Extract<SessionEvent, { type: 'CompactionCompleted' }>['data'];

/** The beginning of a context: a position among all messages, and what precedes it. */
type Beginning = {
  readonly pivot: string | null;
  readonly summary: string | null;
  /** The first message that is present in full. */
  readonly from: number;
  /** An earlier message that is retained all the same. */
  readonly carried: string | undefined;
};

/** Events that end a requested compaction. */
const ENDS: ReadonlySet<string> = new Set([
  'CompactionCompleted',
  'CompactionFailed',
  'CompactionSkipped',
  'CompactionCancelled',
]);

/**
 * A session without a log: a list of all messages, a list of pins, and a stack of the positions at which its context
 * began. It knows nothing of tokens, groups or cuts: the engine chooses the cut, and the model reads it from the
 * events.
 */
export class SessionModel {
  readonly said: Message[] = [];
  readonly pins = new Map<string, string>();
  private readonly beginnings: Beginning[] = [{ pivot: null, summary: null, from: 0, carried: undefined }];
  /** Continuation messages, which leave the context with their compaction. */
  private readonly continuations = new Map<string, string>();
  private readonly withdrawn = new Set<string>();
  private asked: string | undefined;
  private attempts = 0;
  private outcomes = 0;

  /** Applies one event. */
  note(event: SessionEvent): void {
    this.noteAttempt(event);
    switch (event.type) {
      case 'MessageAppended':
        this.said.push(event.data.message);
        break;
      case 'ContentPinned':
        this.pins.delete(event.data.pin.pinId);
        this.pins.set(event.data.pin.pinId, event.data.pin.text);
        break;
      case 'ContentUnpinned':
        this.pins.delete(event.data.pinId);
        break;
      case 'CompactionCompleted':
        this.begin(
          event.data,
          event.data.cut ? this.placeOf(event.data.cut.messageId) : this.said.length,
          event.data.summary,
        );
        break;
      case 'SessionReset':
        this.begin(event.data, this.said.length, null);
        break;
      case 'ContinuationQueued':
        this.continuations.set(event.data.compactionId, event.data.messageId);
        break;
      case 'CompactionReverted': {
        const { compactionId } = event.data;
        invariant(this.now.pivot === compactionId, 'only the newest is undone');
        this.beginnings.pop();
        this.withdrawn.add(this.continuations.get(compactionId) ?? '');
        break;
      }
      default:
    }
  }

  /** The requested or running compaction. */
  get inFlight(): string | undefined {
    return this.asked;
  }
  get pivot(): string | null {
    return this.now.pivot;
  }
  get summary(): string | null {
    return this.now.summary;
  }
  /** The number of started attempts without an outcome. */
  get openAttempts(): number {
    return this.attempts - this.outcomes;
  }

  /** The initial system messages. */
  get head(): readonly Message[] {
    const end = this.said.findIndex(({ role }) => role !== 'system');
    // Initial messages precede every reset and compaction.
    return this.said.slice(
      0,
      end < 0 ? Math.min(this.said.length, this.headMax) : Math.min(end, this.headMax),
    );
  }

  /** Ids of the messages of the context, in order. */
  get context(): readonly string[] {
    const { from, carried } = this.now;
    const first = Math.max(from, this.head.length);
    const since = this.said.slice(first).map(({ id }) => String(id));
    return [...(carried ? [carried] : []), ...since.filter((id) => !this.withdrawn.has(id))];
  }

  private headMax = Number.POSITIVE_INFINITY;

  private get now(): Beginning {
    const newest = this.beginnings.at(-1);
    invariant(newest, 'a context begins somewhere');
    return newest;
  }

  private begin(
    { compactionId, opening }: Pick<Completed, 'compactionId' | 'opening'>,
    from: number,
    summary: string | null,
  ): void {
    this.headMax = Math.min(this.headMax, this.head.length);
    this.beginnings.push({ pivot: compactionId, summary, from, carried: opening.carried?.message.id });
  }

  private placeOf(id: string): number {
    const place = this.said.findLastIndex((message) => message.id === id);
    invariant(place >= 0, 'a cut is at a message');
    return place;
  }

  private noteAttempt(event: SessionEvent): void {
    if (event.type === 'CompactionRequested') {
      invariant(this.asked === undefined, 'one compaction at a time');
      this.asked = event.data.compactionId;
    }
    if (event.type === 'CompactionStarted') {
      invariant(this.openAttempts === 0, 'one attempt at a time');
      this.attempts += 1;
    }
    const ends =
      ENDS.has(event.type) && 'compactionId' in event.data && event.data.compactionId === this.asked;
    if (event.type === 'CompactionAttemptFailed' || (ends && this.openAttempts > 0)) this.outcomes += 1;
    if (ends) this.asked = undefined;
  }
}

/** Returns the text of a message that a request must contain. */
export const wordsOf = (message: Message): string => textOf(message).trim();
