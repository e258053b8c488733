// What people see of destinations, and what they may do: pause, go on from a place in the log, send again, test.
import { CodedError } from "../errors.ts";
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import type { EventLog } from "../events/eventLog.ts";
import type { EventCursors } from "../events/logEntry.ts";
import { instantOf } from "../format/instant.ts";
import type { Answer } from "../store/destinations/lastAnswer.ts";
import type { DestinationState, DestinationStore } from "../store/destinations/destinationStore.ts";
import type { Letter, LetterCounts } from "../store/destinations/letterStore.ts";
import type { Signal } from "../util/signal.ts";
import type { AnyDeliverer } from "./deliverer.ts";
import { getsAlerts, getsCalls, type AnyDestination } from "./destinationFile.ts";
import { createEventFinder, cursorAt } from "./eventFinder.ts";
import { placeInLog } from "./firstPlaces.ts";
import { answerOf, type AnswerDeps } from "./keptAnswer.ts";
import { readWaitingAlerts, type WaitingAlertsDeps } from "./alerts/alertDeliveries.ts";

export interface DestinationStatus extends LetterCounts {
  definition: AnyDestination;
  /** False: it is a chat, which gets alerts alone. */
  getsCalls: boolean;
  /** Null: it has not begun. */
  state: DestinationState | null;
  /** Entries of the log that it has not received or passed over. 0 of one that gets no calls. */
  lag: number;
  /** Notices of alerts that it has not taken. Null: it gets no alerts. */
  waitingAlerts: number | null;
}

export interface DestinationLetter extends Letter {
  cursor: string;
  /** Null: it was erased or purged, or its entry is damaged. */
  event: CallEndedEvent | null;
}

/** Where a destination goes on: after a cursor, or with what was received from an instant on. Null: where it is. */
export type ReplayPlace = { after: string } | { since: string };

/** Null: there is no such destination. All throw STORE_UNAVAILABLE if the database fails. */
export interface DestinationService {
  list(): Promise<DestinationStatus[]>;
  /** Throws CURSOR_INVALID, and BAD_USER_INPUT for a place where it gets no calls. `actor`: the viewer's name. */
  change(
    name: string,
    to: { state: "ACTIVE" | "PAUSED"; place: ReplayPlace | null },
    actor: string,
  ): Promise<DestinationStatus | null>;
  /** After a cursor, in order. Throws CURSOR_INVALID. */
  letters(name: string, page: { after: string | null; first: number }): Promise<DestinationLetter[] | null>;
  /** Sends a letter again now. False: there is none at the cursor. Throws CURSOR_INVALID. */
  sendAgain(name: string, cursor: string): Promise<boolean | null>;
  /** Sends a message that is marked as a test. */
  test(name: string): Promise<Answer | null>;
}

export type Tester = Pick<AnyDeliverer, "test"> & AsyncDisposable;

export interface DestinationServiceDeps extends AnswerDeps, WaitingAlertsDeps {
  definitions: () => readonly AnyDestination[];
  createTester: (destination: AnyDestination) => Tester;
  events: Pick<EventLog, "page" | "markHead" | "oldestCursor">;
  cursors: Pick<EventCursors, "at" | "parse">;
  store: DestinationStore;
  /** Notified when a destination was changed. */
  changed: Signal;
}

const NO_CALLS = "after and since are for destinations that get calls: this one gets alerts alone.";
const namesOf = (definitions: readonly AnyDestination[]) => definitions.map(({ name }) => name);

export function createDestinationService(deps: DestinationServiceDeps): DestinationService {
  const { definitions, createTester, events, cursors, store, changed, clock } = deps;
  const eventAt = createEventFinder(events, cursors);
  const find = (name: string) => definitions().find((each) => each.name === name);

  async function list(): Promise<DestinationStatus[]> {
    if (definitions().length === 0) return [];
    const states = new Map((await store.all()).map((state) => [state.name, state]));
    const letters = await store.letterCounts();
    const alerts = await readWaitingAlerts(namesOf(definitions().filter(getsAlerts)), deps);
    const head = cursors.parse(events.markHead()());
    return definitions().map((definition) => {
      const { name } = definition;
      const state = states.get(name) ?? null;
      // One that got calls before may have a place still.
      const cursor = getsCalls(definition) ? (state?.cursor ?? null) : null;
      const lag = cursor === null ? 0 : Math.max(0, head - cursors.parse(cursor));
      const waitingAlerts = alerts.get(name) ?? null;
      return {
        definition,
        getsCalls: getsCalls(definition),
        state,
        lag,
        waitingAlerts,
        ...(letters.get(name) ?? { waiting: 0, dead: 0 }),
      };
    });
  }
  const cursorOf = async (place: ReplayPlace) =>
    "after" in place
      ? cursors.at(cursors.parse(place.after))
      : cursorAt(place.since, cursors.parse(events.markHead()()), { oldestAfter: store.oldestAfter, at: cursors.at });
  const statusOf = async (name: string) => (await list()).find(({ definition }) => definition.name === name) ?? null;
  return {
    list,
    async change(name, { state, place }, actor) {
      const definition = find(name);
      if (!definition) return null;
      if (place && !getsCalls(definition)) throw new CodedError("BAD_USER_INPUT", NO_CALLS);
      const cursor = place && (await cursorOf(place));
      if (getsCalls(definition)) await placeInLog(definition, { store, events, cursors });
      else await store.begin(name, null);
      await store.change(name, { state, cursor }, { actor, at: instantOf(clock()) });
      changed.notify();
      return statusOf(name);
    },
    async letters(name, { after, first }) {
      if (!find(name)) return null;
      const found = await store.letters(name, { after: after === null ? 0 : cursors.parse(after), limit: first });
      const withEvents = found.map(async (letter) => {
        const event = await eventAt(letter.seq);
        return { ...letter, cursor: cursors.at(letter.seq), event: typeof event === "string" ? null : event };
      });
      return Promise.all(withEvents);
    },
    sendAgain: async (name, cursor) => (find(name) ? store.wakeLetter(name, cursors.parse(cursor)) : null),
    async test(name) {
      const definition = find(name);
      if (!definition) return null;
      await using tester = createTester(definition);
      return answerOf(await tester.test(new AbortController().signal), deps);
    },
  };
}
