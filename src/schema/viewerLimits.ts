// The limits of a key or token for new tasks.
import type { CalledHours as Hours, ViewerLimits as Limits } from "../auth/viewerPolicy.ts";
import type { LimitState as State } from "../tasks/usageLimits.ts";
import { builder, needs, rows, safeText } from "./builder.ts";
import { TaskLimit } from "./enums.ts";

const setting = safeText("The operator's setting.");

export const LimitState = builder.objectRef<State>("LimitState").implement({
  description: "How much of a limit is used.",
  ...needs(null),
  fields: (t) => ({
    limit: t.expose("limit", { type: TaskLimit, nullable: false, description: "Which limit it is." }),
    size: t.exposeInt("size", { nullable: false, description: "How many tasks or numbers it allows." }),
    used: t.exposeInt("used", {
      nullable: false,
      description: "How many were sent in this hour or day, on all gateways. 0 of NUMBERS_PER_TASK.",
    }),
    left: t.exposeInt("left", { nullable: false, description: "How many are left now." }),
    freeAt: t.expose("freeAt", {
      type: "DateTime",
      description: "When all of it is free again: the end of the hour or day. Null of NUMBERS_PER_TASK.",
    }),
  }),
});

const CallingHours = builder.objectRef<NonNullable<Limits["callingHours"]>>("CallingHours").implement({
  description: "The hours in which people may be called, by the clock of the service's time zone.",
  ...needs(null),
  fields: (t) => ({
    from: t.exposeString("from", { nullable: false, description: "Such as 09:00.", ...setting }),
    to: t.exposeString("to", { nullable: false, description: "Such as 20:00.", ...setting }),
  }),
});

const CalledHours = builder.objectRef<Hours>("CalledHours").implement({
  description: "The hours in which people with some numbers may be called, by their clock.",
  ...needs(null),
  fields: (t) => ({
    prefix: t.exposeString("prefix", {
      nullable: false,
      description: "What their numbers begin with, such as +1.",
      ...setting,
    }),
    timeZone: t.exposeString("timeZone", {
      nullable: false,
      description: "IANA zone, such as America/New_York.",
      ...setting,
    }),
    from: t.exposeString("from", { nullable: false, description: "Such as 09:00.", ...setting }),
    to: t.exposeString("to", { nullable: false, description: "Such as 20:00.", ...setting }),
  }),
});

export const ViewerLimits = builder.objectRef<Limits>("ViewerLimits").implement({
  description: "What a key or token may not exceed with new tasks. A member that is null does not restrict.",
  ...needs(null),
  fields: (t) => ({
    lineIds: t.idList({ description: "The outgoing lines that it may use.", resolve: ({ lineIds }) => lineIds }),
    assistantIds: t.idList({
      description: "The assistants that it may use.",
      resolve: ({ assistantIds }) => assistantIds,
    }),
    prefixes: t.stringList({
      description:
        "What a number that it may call begins with, such as +86. A prefix without + is compared with numbers that are written without +.",
      ...setting,
      resolve: ({ prefixes }) => prefixes,
    }),
    callingHours: t.field({
      type: CallingHours,
      description: "The hours that each period of a task must be within.",
      resolve: ({ callingHours }) => callingHours,
    }),
    calledHours: t.field({
      type: [CalledHours],
      description:
        "The hours of the called people that each period of a task must be within, all year. A number must keep each rule whose prefix it begins with.",
      resolve: ({ calledHours }) => calledHours,
    }),
    counts: t.field({
      type: [LimitState],
      nullable: false,
      description: "The limits that count, and what is left of them.",
      ...needs(null, rows(1)),
      resolve: (_limits, _args, { taskLimits, viewer }) => taskLimits(viewer),
    }),
  }),
});
