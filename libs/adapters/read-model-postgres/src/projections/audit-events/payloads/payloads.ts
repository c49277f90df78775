import type { SessionEvent, SessionEventType } from '@app/domain';
import type { JsonObject } from '@app/kernel';

export type DataOf<Type extends SessionEventType> = Extract<SessionEvent, { readonly type: Type }>['data'];

/** The visible fields of each event type. */
export type Payloads<Type extends SessionEventType> = {
  readonly [One in Type]: (data: DataOf<One>) => JsonObject;
};
