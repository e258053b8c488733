// What people see of destinations, and what they may do: pause, go on from a place in the log, send again, test.
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import type { EventLog } from "../events/eventLog.ts";
import type { EventCursors } from "../events/logEntry.ts";
import { instantOf } from "../format/instant.ts";
import type { Answer } from "../store/destinations/lastAnswer.ts";
import type { DestinationState, DestinationStore } from "../store/destinations/destinationStore.ts";
import type { Letter, LetterCounts } from "../store/destinations/letterStore.ts";
import type { Signal } from "../util/signal.ts";
import type { AnyDeliverer, Attempt } from "./deliverer.ts";
import type { Destination } from "./destinationFile.ts";
import { createEventFinder, cursorAt, firstCursor } from "./eventFinder.ts";
import { answerOf, type AnswerDeps } from "./keptAnswer.ts";

export interface DestinationStatus extends LetterCounts {
  definition: Destination;
  /** Null: it has not begun. */
  state: DestinationState | null;
  /** Entries of the log that it has not received or passed over. */
  lag: number;
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
  /** Throws CURSOR_INVALID. `actor`: the viewer's name. */
  change(
    name: string,
    to: { state: "ACTIVE" | "PAUSED"; place: ReplayPlace | null },
    actor: string,
  ): Promise<DestinationStatus | null>;
  /** After a cursor, in order. Throws CURSOR_INVALID. */
  letters(name: string, page: { after: string | null; first: number }): Promise<DestinationLetter[] | null>;
  /** Sends a letter again now. False: there is none at the cursor. Throws CURSOR_INVALID. */
  sendAgain(name: string, cursor: string): Promise<boolean | null>;
  /** Sends a message that is marked as a test, also to a chat. */
  test(name: string): Promise<Answer | null>;
}

export interface DestinationServiceDeps extends AnswerDeps {
  definitions: () => readonly Destination[];
  createDeliverer: (destination: Destination) => AnyDeliverer;
  /** Sends a text to a chat of the file, which gets no calls. Null: there is none of this name. */
  testChat: (name: string, signal: AbortSignal) => Promise<Attempt> | null;
  events: Pick<EventLog, "page" | "markHead" | "oldestCursor">;
  cursors: Pick<EventCursors, "at" | "parse">;
  store: DestinationStore;
  /** Notified when a destination was changed. */
  changed: Signal;
}

export function createDestinationService(deps: DestinationServiceDeps): DestinationService {
  const { definitions, createDeliverer, testChat, events, cursors, store, changed, clock } = deps;
  const eventAt = createEventFinder(events, cursors);
  const find = (name: string) => definitions().find((each) => each.name === name);

  async function list(): Promise<DestinationStatus[]> {
    if (definitions().length === 0) return [];
    const states = new Map((await store.all()).map((state) => [state.name, state]));
    const letters = await store.letterCounts();
    const head = cursors.parse(events.markHead()());
    return definitions().map((definition) => {
      const state = states.get(definition.name) ?? null;
      const lag = state === null ? 0 : Math.max(0, head - cursors.parse(state.cursor));
      return { definition, state, lag, ...(letters.get(definition.name) ?? { waiting: 0, dead: 0 }) };
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
      const cursor = place && (await cursorOf(place));
      if (!(await store.read(name))) await store.begin(name, firstCursor(definition, events, cursors));
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
      if (!definition) {
        const asked = await testChat(name, new AbortController().signal);
        return asked && answerOf(asked, deps);
      }
      await using deliverer = createDeliverer(definition);
      const attempt: Attempt = await deliverer.test(new AbortController().signal);
      return answerOf(attempt, deps);
    },
  };
}
