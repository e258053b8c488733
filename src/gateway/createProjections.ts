// The tables that are derived from the log.
import { createRecipientProjection } from "../projections/recipientProjection.ts";
import { createRecipientService, type RecipientService } from "../projections/recipientService.ts";
import { startProjections, type Projections as Running } from "../projections/startProjections.ts";
import type { Base } from "./base.ts";
import type { Events } from "./createEvents.ts";
import type { Storage } from "./createStorage.ts";

export interface Projections extends Running {
  recipients: RecipientService;
}

export interface ProjectionsDeps extends Base {
  storage: Storage;
  events: Events;
}

export function createProjections(deps: ProjectionsDeps): Projections {
  const { config, storage, observers, log } = deps;
  const { signer } = storage;
  const { projections: store, recipients, readers, leases } = storage.store;
  const { events } = deps.events;
  const projections = [createRecipientProjection({ signer, hangUpOutcomes: config.named.hangUps })];
  const observer = observers.events;
  const running = startProjections({ projections, store, events, readers, leases, signer, observer, log });
  return { ...running, recipients: createRecipientService(recipients, running) };
}
