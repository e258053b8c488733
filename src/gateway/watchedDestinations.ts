// The destinations of the file with their states, for rules on alerts.
import type { FindConditions } from "../alerts/conditions.ts";
import { createDestinationLook, watchesDestinations } from "../alerts/destinationConditions.ts";
import { getsCalls, type AnyDestination } from "../destinations/destinationFile.ts";
import type { DestinationStore } from "../store/destinations/destinationStore.ts";

export interface WatchedDestinationsDeps {
  /** The file's content as of now. */
  definitions: () => readonly AnyDestination[];
  store: Pick<DestinationStore, "all">;
  clock: () => number;
}

export function createDestinationConditions({ definitions, store, clock }: WatchedDestinationsDeps): FindConditions {
  const look = createDestinationLook();
  return async (rules) => {
    if (!watchesDestinations(rules)) return { findings: [], covered: [] };
    const [file, now] = [definitions(), clock()];
    const states = new Map((await store.all()).map((state) => [state.name, state]));
    const watched = file.map((definition) => ({
      name: definition.name,
      isOn: definition.enabled,
      getsCalls: getsCalls(definition),
      state: states.get(definition.name) ?? null,
    }));
    return look(rules, watched, now);
  };
}
