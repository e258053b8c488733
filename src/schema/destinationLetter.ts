// Letters: events that a destination did not take and that later ones have overtaken.
import type { DestinationLetter as Letter } from "../destinations/destinationService.ts";
import { destinationLetters, sendLetter } from "../resolvers/destination.ts";
import { builder, cursorText, needs, rows } from "./builder.ts";
import { CallEnded } from "./callEnded.ts";
import { DeliveryAnswer, DESTINATION_NAME } from "./destination.ts";

const DestinationLetter = builder.objectRef<Letter>("DestinationLetter").implement({
  description: "An event that a destination did not take and that later ones have overtaken.",
  ...needs("admin"),
  fields: (t) => ({
    cursor: t.exposeString("cursor", { nullable: false, description: "The event's place in the log.", ...cursorText }),
    event: t.expose("event", {
      type: CallEnded,
      description:
        "The event, from which the message is made anew at each attempt. Null: it was erased or has expired.",
    }),
    attempts: t.exposeInt("attempts", { nullable: false, description: "Number of attempts so far." }),
    firstAt: t.expose("firstAt", { type: "DateTime", nullable: false, description: "When the first one was made." }),
    secondsToNext: t.float({
      description: "Seconds until the next attempt. Null: none is made by itself.",
      resolve: ({ waitMs }) => (waitMs === null ? null : waitMs / 1000),
    }),
    lastAnswer: t.expose("lastAnswer", { type: DeliveryAnswer, description: "How the last attempt ended." }),
  }),
});

builder.queryField("destinationLetters", (t) =>
  t.field({
    type: [DestinationLetter],
    description:
      "The letters of a destination, the oldest first. Their events need calls:read, too. Needs the scope admin.",
    ...needs(
      "admin",
      rows(({ first }: { first: number }) => 2 * Math.max(0, first)),
    ),
    args: {
      name: t.arg.string({ required: true, description: DESTINATION_NAME }),
      first: t.arg.int({ required: true, defaultValue: 20, description: "Number of letters, 1 to 100." }),
      after: t.arg.string({ description: "The cursor of the letter after which to go on." }),
    },
    resolve: (_, args, context) => destinationLetters(args, context),
  }),
);

builder.mutationField("sendDestinationLetter", (t) =>
  t.field({
    type: "Boolean",
    description:
      "Sends a letter again now. False: the destination has no letter at this cursor. Needs the scope admin.",
    ...needs("admin", rows(1)),
    args: {
      name: t.arg.string({ required: true, description: DESTINATION_NAME }),
      cursor: t.arg.string({ required: true, description: "The cursor of the letter." }),
    },
    resolve: (_, { name, cursor }, context) => sendLetter(name, cursor, context),
  }),
);
