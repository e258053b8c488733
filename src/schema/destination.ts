// Destinations, to which ended calls are sent: their state, and what an admin may do with them.
import type { DestinationStatus } from "../destinations/destinationService.ts";
import { addressOf, changeDestination, replayPlace, secondsToNext, testDestination } from "../resolvers/destination.ts";
import type { DestinationStatus as State, DisabledReason } from "../store/destinations/destinationStore.ts";
import type { Answer } from "../store/destinations/lastAnswer.ts";
import { builder, cursorText, needs, rows, safeText } from "./builder.ts";

/** All destinations, and what is read for each. */
const all = rows(200);
export const DESTINATION_NAME = "The name of the destination in DESTINATIONS_FILE.";
const OWN = "From the operator's file.";

const DestinationState = builder.enumType("DestinationState", {
  description: "Whether events are sent to a destination.",
  values: {
    ACTIVE: { description: "They are sent." },
    PAUSED: { description: "An admin has paused it. Its events wait in the log." },
    DISABLED: {
      description: "The gateway has disabled it, for the reason in disabledFor. Its events wait in the log.",
    },
  } satisfies Record<State, object>,
});

const DestinationDisabledReason = builder.enumType("DestinationDisabledReason", {
  description: "Why the gateway has disabled a destination. New values may be added.",
  values: {
    GONE: { description: "It answered 410." },
    FAILING: { description: "It has taken nothing for three days." },
  } satisfies Record<DisabledReason, object>,
});

export const DeliveryAnswer = builder.objectRef<Answer>("DeliveryAnswer").implement({
  description: "How an attempt to deliver an event ended.",
  ...needs("admin"),
  fields: (t) => ({
    at: t.expose("at", { type: "DateTime", nullable: false, description: "When it was made." }),
    status: t.exposeInt("status", {
      description:
        "The HTTP status of the answer. Null: there was none. A folder, a bucket and a broker have none where they have taken the event: then text is null, too.",
    }),
    text: t.exposeString("text", {
      description:
        "The beginning of the answer of a failed attempt, or what went wrong. Phone numbers in it are masked.",
    }),
  }),
});

const Destination = builder.objectRef<DestinationStatus>("Destination").implement({
  description: "A system to which ended calls or alerts are sent. DESTINATIONS_FILE defines it.",
  ...needs("admin"),
  fields: (t) => ({
    name: t.string({
      nullable: false,
      description: DESTINATION_NAME,
      resolve: ({ definition }) => definition.name,
      ...safeText(OWN),
    }),
    kind: t.string({
      nullable: false,
      description: "How events are handed over, such as event.",
      resolve: ({ definition }) => definition.kind,
      ...safeText(OWN),
    }),
    getsCalls: t.exposeBoolean("getsCalls", {
      nullable: false,
      description: "Whether it gets calls. False: it is a chat, which gets alerts alone.",
    }),
    url: t.string({
      nullable: false,
      description: "Where it is, without the query; of a chat without the path, which is a secret.",
      resolve: (destination) => addressOf(destination),
      ...safeText(OWN),
    }),
    order: t.string({
      nullable: false,
      description:
        "How it goes on after an event that is not taken. With strict it holds up the next ones, with free others go on. Alerts never wait for others.",
      // An alert that is not taken holds up no other one.
      resolve: ({ definition }) => ("order" in definition ? definition.order : "free"),
      ...safeText(OWN),
    }),
    enabled: t.boolean({
      nullable: false,
      description: "False: the file has switched it off.",
      resolve: ({ definition }) => definition.enabled,
    }),
    state: t.field({
      type: DestinationState,
      description: "Whether events are sent. Null: it has not begun.",
      resolve: ({ state }) => state?.state,
    }),
    disabledFor: t.field({
      type: DestinationDisabledReason,
      description: "Why the gateway has disabled it. Null: it has not.",
      resolve: ({ state }) => state?.reason,
    }),
    cursor: t.string({
      description:
        "The place in the log up to which events were delivered, left out, or are letters. Null: it has not begun, or gets no calls.",
      resolve: ({ getsCalls, state }) => (getsCalls ? state?.cursor : null),
      ...cursorText,
    }),
    lag: t.exposeFloat("lag", {
      nullable: false,
      description:
        "Number of entries of the log that it has not received or passed over yet. 0 where it gets no calls.",
    }),
    waitingAlerts: t.exposeFloat("waitingAlerts", {
      description:
        "Number of messages about alerts from the first one on that it has not taken; later ones among them may be taken. Null: it gets no alerts.",
    }),
    failures: t.int({
      nullable: false,
      description: "Attempts that failed one after the other.",
      resolve: ({ state }) => state?.failures ?? 0,
    }),
    failingSince: t.field({
      type: "DateTime",
      description: "When the first of them was made. Null: the last attempt succeeded.",
      resolve: ({ state }) => state?.failingSince,
    }),
    secondsToNext: t.float({
      description:
        "Seconds until the next attempt while it fails. Where it gets no calls: only a time for which it asked itself.",
      resolve: ({ getsCalls, state }) => secondsToNext(state, getsCalls),
    }),
    delivered: t.float({
      nullable: false,
      description: "Number of events that it has taken, repeats included; of alerts, where it gets no calls.",
      resolve: ({ state }) => state?.delivered ?? 0,
    }),
    skipped: t.float({
      nullable: false,
      description: "Number of events of which nothing was left to send.",
      resolve: ({ state }) => state?.skipped ?? 0,
    }),
    waitingLetters: t.exposeFloat("waiting", {
      nullable: false,
      description: "Number of events that it did not take, that others have overtaken, and that will be sent again.",
    }),
    deadLetters: t.exposeFloat("dead", {
      nullable: false,
      description: "Number of such events that are not sent again by themselves.",
    }),
    lastAnswer: t.field({
      type: DeliveryAnswer,
      description: "How the last attempt ended. Null: there was none.",
      resolve: ({ state }) => state?.lastAnswer,
    }),
  }),
});

builder.queryField("destinations", (t) =>
  t.field({
    type: [Destination],
    description:
      "The systems to which ended calls and alerts are sent, in the order of the file. Needs the scope admin.",
    ...needs("admin", all),
    resolve: (_, __, { destinations, queryOwner, queuedRead }) =>
      queuedRead(queryOwner, ["destinations"], () => destinations.list()),
  }),
);

builder.mutationField("pauseDestination", (t) =>
  t.field({
    type: Destination,
    description: "Pauses a destination within a second. Its events wait in the log. Needs the scope admin.",
    ...needs("admin", all),
    args: { name: t.arg.string({ required: true, description: DESTINATION_NAME }) },
    resolve: (_, { name }, context) => changeDestination(name, { state: "PAUSED", place: null }, context),
  }),
);

builder.mutationField("resumeDestination", (t) =>
  t.field({
    type: Destination,
    description:
      "Lets a destination go on that was paused or disabled, or sends its events again from a cursor or an instant on; one that gets no calls has no such place. Needs the scope admin.",
    ...needs("admin", all),
    args: {
      name: t.arg.string({ required: true, description: DESTINATION_NAME }),
      after: t.arg.string({ description: "The cursor after which it goes on. Without it and since: where it is." }),
      since: t.arg({
        type: "DateTime",
        description:
          "In place of after: it goes on with what the gateway received from this instant on, and up to a minute before.",
      }),
    },
    resolve: (_, { name, after, since }, context) =>
      changeDestination(name, { state: "ACTIVE", place: replayPlace(after, since) }, context),
  }),
);

builder.mutationField("testDestination", (t) =>
  t.field({
    type: DeliveryAnswer,
    description:
      "Hands over something that is marked as a test, also to a destination that is paused, and returns the answer. Needs the scope admin.",
    ...needs("admin"),
    args: { name: t.arg.string({ required: true, description: DESTINATION_NAME }) },
    resolve: (_, { name }, context) => testDestination(name, context),
  }),
);
