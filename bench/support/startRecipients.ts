// Makes the recipients of a log that a benchmark has opened itself, without a gateway.
import { noEventObserver } from "../../src/events/eventObserver.ts";
import type { EventLog } from "../../src/events/eventLog.ts";
import { createRecipientProjection } from "../../src/projections/recipientProjection.ts";
import { startProjections, type Projections } from "../../src/projections/startProjections.ts";
import type { Store } from "../../src/store/store.ts";
import type { Signer } from "../../src/util/hmac.ts";
import { silentLog } from "../../test/support/silentLog.ts";

export function startRecipients(store: Store, events: EventLog, signer: Signer): Projections {
  const { readers, leases } = store;
  return startProjections({
    projections: [createRecipientProjection({ signer, hangUpOutcomes: [] })],
    store: store.projections,
    events,
    readers,
    leases,
    signer,
    observer: noEventObserver,
    log: silentLog,
  });
}
