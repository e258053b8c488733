// The tables that are derived from the log.
import { createRecipientProjection } from "../projections/recipients.ts";
import { startProjections, type Projections } from "../projections/startProjections.ts";
import type { Base } from "./base.ts";
import type { Events } from "./createEvents.ts";
import type { Storage } from "./createStorage.ts";

export interface ProjectionsDeps extends Base {
  storage: Storage;
  events: Events;
}

export function createProjections({ storage, events: { events }, observers, log }: ProjectionsDeps): Projections {
  const { signer } = storage;
  const { projections: store, readers, leases } = storage.store;
  const projections = [createRecipientProjection({ signer, hangUpOutcomes: [] })];
  return startProjections({ projections, store, events, readers, leases, signer, observer: observers.events, log });
}
