import { setImmediate as yieldToLoop } from 'node:timers/promises';
import type { ServerWritableStream } from '@grpc/grpc-js';
import type { Store } from '../../store.js';
import type { streams } from '../../wire/definitions.js';
import { asFailure, readingStopped, streamDeleted } from '../../wire/grpc-failure.js';
import { Outlet } from '../../wire/outlet.js';
import { Cursor, PAGE_COUNT } from './cursor.js';
import { deliveryOf } from './delivery.js';
import { follow } from './follow.js';
import { firstOfRead, type ReadPlan, readPlanOf } from './read-plan.js';
import { readReplies } from './read-replies.js';

/** `Read`: a stream or $all, in either direction, once or as a subscription. */
export const read = async (
  store: Store,
  call: ServerWritableStream<streams.ReadReq, Buffer>,
): Promise<void> => {
  const outlet = new Outlet(call);
  outlet.onEnd(store.calls.whenStopping(() => outlet.fail(readingStopped())));
  try {
    const plan = readPlanOf(call.request);
    store.access.demand(call, 'read', plan.source.kind === 'all' ? '$all' : plan.source.stream);
    await (plan.count === undefined ? follow(store, plan, outlet) : readOnce(store, plan, outlet));
    outlet.end();
  } catch (fault) {
    outlet.fail(asFailure(fault));
  }
};

const readOnce = async (store: Store, plan: ReadPlan, outlet: Outlet): Promise<void> => {
  const { reader } = store.log;
  if (plan.source.kind === 'stream') {
    const { stream } = plan.source;
    const state = reader.stateOf(stream);
    if (state === 'tombstoned') throw streamDeleted(stream);
    if (state !== 'present') return outlet.write(readReplies.streamNotFound(stream));
  }
  const cursor = new Cursor(reader, plan.source, plan.backwards, firstOfRead(plan));
  let left = plan.count ?? 0;
  while (outlet.open && left > 0) {
    const page = cursor.read(plan.filter ? PAGE_COUNT : left);
    if (page.length === 0) return;
    for (const event of page) {
      if (left === 0 || (plan.filter && !plan.filter.matches(event))) continue;
      left -= 1;
      const reply = readReplies.event(deliveryOf(store.log.reader, plan, event), plan.structuredIds);
      if (!outlet.send(reply)) await outlet.drained();
    }
    await yieldToLoop();
  }
};
