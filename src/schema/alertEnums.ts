// The enums of alerts.
import type { ruleKinds } from "../alerts/alertFile.ts";
import type { alertLanguages, alertUnits } from "../alerts/alertText.ts";
import type { endings } from "../alerts/callWindow.ts";
import { builder } from "./builder.ts";

export const AlertKind = builder.enumType("AlertKind", {
  description: "What a rule watches. New values may be added.",
  values: {
    ANSWER_RATE: { value: "answerRate", description: "The share of calls that were answered." },
    HANG_UP_REASON: { value: "hangUpReason", description: "The share of calls that ended with one of some reasons." },
    RECORDINGS_LOST: { value: "recordingsLost", description: "Recordings that could not be stored." },
    NO_CALLS: { value: "noCalls", description: "Tasks of which no call ends although they run, in their hours." },
    PEOPLE_LEFT: {
      value: "peopleLeft",
      description: "Tasks whose hours are over, or which the service has stopped, while people are still to be called.",
    },
    DESTINATION_FAILS: {
      value: "destinationFails",
      description: "Destinations that take nothing although something is sent to them, or that were disabled.",
    },
    KEY_LIMIT: { value: "keyLimit", description: "The share of a limit that a key has used in an hour or a day." },
  } as const satisfies Record<string, { value: (typeof ruleKinds)[number]; description: string }>,
});

export const AlertUnit = builder.enumType("AlertUnit", {
  description: "What the value and the threshold of an alert count. New values may be added.",
  values: {
    SHARE: { description: "A share, from 0 to 1." },
    COUNT: { description: "A number of recordings or people." },
    MINUTES: { description: "Minutes without the end of a call, or in which a destination took nothing." },
  } as const satisfies Record<(typeof alertUnits)[number], { description: string }>,
});

export const AlertEnding = builder.enumType("AlertEnding", {
  description: "Why an alert is over. New values may be added.",
  values: {
    RECOVERED: {
      description:
        "The condition was good again, and the cool-down of the rule was over; fewer people are left; or the destination takes what is sent.",
    },
    NO_CALLS: { description: "No call ended, or no recording was stored or lost, for a day." },
    NOT_RUNNING: {
      description:
        "The task has stopped, or its hours are over; or the destination was paused, switched off, disabled or resumed.",
    },
    PERIOD_OVER: {
      description:
        "The hour or day of the limit is over; or the task may call again, its next hours are over, or three days passed.",
    },
    RULE_CHANGED: {
      description:
        "The rule is no longer in the file, counts other calls, or does not watch the task or the destination any more.",
    },
  } as const satisfies Record<(typeof endings)[number], { description: string }>,
});

export const AlertLanguage = builder.enumType("AlertLanguage", {
  description: "A language of texts of alerts.",
  values: {
    EN: { value: "en", description: "English." },
    ZH: { value: "zh", description: "Chinese." },
  } as const satisfies Record<string, { value: (typeof alertLanguages)[number]; description: string }>,
});
