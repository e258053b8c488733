// When a task calls, and how many people of which country: for checkTask and for proposals.
import { SEEING_SUBMISSIONS } from "../auth/scopes.ts";
import type { CountryCount as Count } from "../tasks/check/countByCountry.ts";
import type { TaskPeriod as Period, TaskSchedule as Schedule } from "../tasks/check/describeSchedule.ts";
import { builder, needs, safeText } from "./builder.ts";

const TaskDays = builder.enumType("TaskDays", {
  description: "The days on which a task calls.",
  values: {
    START_DATE: { value: "first", description: "Its start date only." },
    DAILY: { value: "daily", description: "Its start date, and each day after it until it is done." },
  } as const,
});

const TaskBegin = builder.enumType("TaskBegin", {
  description: "Whether a task's calls begin at once.",
  values: {
    AT_ONCE: { value: "atOnce", description: "One of its periods is now." },
    LATER: { value: "later", description: "Its next period is still to come." },
    OVER: { value: "over", description: "All of its periods have ended." },
  } as const,
});

const TaskPeriod = builder.objectRef<Period>("TaskPeriod").implement({
  description:
    "A period of the day in which a task calls. A member is null where its text is in a form that the gateway does not read.",
  ...needs(SEEING_SUBMISSIONS),
  fields: (t) => ({
    from: t.exposeString("from", {
      description: "A time of day by the clock of timeZone, such as 09:00.",
      ...safeText("A time that was read."),
    }),
    to: t.exposeString("to", { description: "Such as 12:00.", ...safeText("A time that was read.") }),
    startsAt: t.expose("startsAt", {
      type: "DateTime",
      description: "When it begins on the next day of calls: the start date, or a later day where days is DAILY.",
    }),
    endsAt: t.expose("endsAt", {
      type: "DateTime",
      description: "When it ends on that day. Null also where it does not end after it begins.",
    }),
  }),
});

export const TaskSchedule = builder.objectRef<Schedule>("TaskSchedule").implement({
  description: "When a task calls.",
  ...needs(SEEING_SUBMISSIONS),
  fields: (t) => ({
    timeZone: t.exposeString("timeZone", {
      nullable: false,
      description: "The time zone of the service's clock, which the dates and periods follow.",
      ...safeText("The operator's setting."),
    }),
    startDate: t.exposeString("startDate", {
      description: "The first day of calls, as YYYY-MM-DD. Null where the gateway does not read its form.",
      ...safeText("A date that was read."),
    }),
    days: t.expose("days", {
      type: TaskDays,
      description: "On which days it calls (UPSTREAM_TASK_DAYS). Null: the gateway does not know it.",
    }),
    periods: t.expose("periods", { type: [TaskPeriod], nullable: false, description: "The hours in which it calls." }),
    begin: t.expose("begin", {
      type: TaskBegin,
      description: "Whether calls begin at once. Null where a period is not known.",
    }),
    startsAt: t.expose("startsAt", {
      type: "DateTime",
      description: "When its next period begins. Null unless begin is LATER.",
    }),
  }),
});

export const CountryCount = builder.objectRef<Count>("CountryCount").implement({
  description: "How many people have a number with a country code.",
  ...needs(SEEING_SUBMISSIONS),
  fields: (t) => ({
    countryCode: t.exposeString("countryCode", {
      description: "Its digits, such as 86. Null of numbers that begin with neither + nor 00: they do not say it.",
      ...safeText("Digits of the list of country codes."),
    }),
    people: t.exposeInt("people", { nullable: false, description: "How many people." }),
  }),
});
