// The enums of the graph. `value` is what the code and the service use for it.
import type { MissingBody as Missing } from "../events/showDelivery.ts";
import type { QuarantineKind as Kind } from "../store/events/quarantineStore.ts";
import { builder } from "./builder.ts";

export const CallDirection = builder.enumType("CallDirection", {
  description: "Whether the call came in or went out.",
  values: {
    INBOUND: { value: "inbound", description: "A customer called the service." },
    OUTBOUND: { value: "outbound", description: "The service called a customer." },
  } as const,
});

export const CallKind = builder.enumType("CallKind", {
  description: "Whether a call was real.",
  values: {
    PHONE: { value: "phone", description: "A phone call." },
    PRIVATE_TEST: { value: "privateTest", description: "A debug call." },
  } as const,
});

export const HangupSide = builder.enumType("HangupSide", {
  description: "The end of the line that hung up. HungUpBy names the person instead.",
  values: {
    CALLER: { value: "caller", description: "The end that placed the call." },
    CALLEE: { value: "callee", description: "The end that was called." },
  } as const,
});

export const HungUpBy = builder.enumType("HungUpBy", {
  description:
    "The party that hung up, by side and direction. On an outbound call the assistant is the caller, on an inbound call the callee.",
  values: {
    ASSISTANT: { description: "The voice assistant." },
    CUSTOMER: { description: "The person on the phone." },
  } as const,
});

export const QuarantineKind = builder.enumType("QuarantineKind", {
  description: "Why a delivery is in quarantine.",
  values: {
    UNREADABLE: { description: "It could not be read, or the database refused it." },
    NOT_ENDED: { description: "It is an event that does not end a call, and nothing is wrong with it." },
  } satisfies Record<Kind, object>,
});

export const RecordingStatus = builder.enumType("RecordingStatus", {
  description: "How far the gateway is with archiving a recording.",
  values: {
    PENDING: { description: "It waits for its download, or for another attempt." },
    ARCHIVED: { description: "The gateway has it and serves it." },
    LOST: { description: "The URL had expired, or the last attempt failed. This is final." },
  } as const,
});

export const TaskStatus = builder.enumType("TaskStatus", {
  description: "The status of a task, as the service states it.",
  values: {
    PENDING: { value: "pending", description: "The service writes pending." },
    RUNNING: { value: "running", description: "The service writes running." },
    STOP_OPERATE: { value: "stop.operate", description: "The service writes stop.operate." },
    STOP_TIMEOUT: { value: "stop.timeout", description: "The service writes stop.timeout." },
    STOP_ABNORMAL: { value: "stop.abnormal", description: "The service writes stop.abnormal." },
    DONE: { value: "done", description: "The service writes done." },
    UNKNOWN: {
      value: "unknown",
      description: "A status that the documentation of the service does not name. Its text is in unread.",
    },
  } as const,
});

export const UpstreamState = builder.enumType("UpstreamState", {
  description: "How the calling service responds to the gateway.",
  values: {
    HEALTHY: { description: "Requests succeed." },
    DEGRADED: {
      description:
        "The newest request, or one of the last ten seconds, failed, or the times of its calls are read wrongly.",
    },
    DOWN: { description: "The circuit breaker is open: requests fail at once." },
  } as const,
});

export const Language = builder.enumType("Language", {
  description: "A language that an assistant speaks.",
  values: {
    ZH: { value: "zh", description: "Chinese." },
    EN: { value: "en", description: "English." },
    JP: { value: "jp", description: "Japanese." },
  } as const,
});

export const TimeBucket = builder.enumType("TimeBucket", {
  description: "The length of a bucket of a timeline.",
  values: {
    MINUTE: { value: "minute", description: "A minute." },
    HOUR: { value: "hour", description: "An hour of the time zone's clock." },
    DAY: { value: "day", description: "A day of the time zone: 23 to 25 hours where clocks change." },
  } as const,
});

export const EventOrder = builder.enumType("EventOrder", {
  description:
    "The order of a list of events, by their place in the log. The place of an imported call is when it was imported, whenever it ended: imported: false leaves such calls out.",
  values: {
    OLDEST_FIRST: { value: "oldestFirst", description: "The oldest event comes first." },
    NEWEST_FIRST: { value: "newestFirst", description: "The newest event comes first." },
  } as const,
});

export const EventSource = builder.enumType("EventSource", {
  description: "How the gateway learned that a call ended. New values may be added.",
  values: {
    WEBHOOK: { description: "By the call-ended webhook of the service." },
    RECONCILED: {
      description:
        "The webhook did not come, and the gateway found the ended call in the call log. Fields that only a webhook has are null.",
    },
    IMPORTED: {
      description:
        "The call ended before the gateway was there, and importHistory read it from the call log. Fields that only a webhook has are null.",
    },
  } as const,
});

export const SubmissionStatus = builder.enumType("SubmissionStatus", {
  description: "How far a submission is, and what is known of its task. New values may be added.",
  values: {
    PROPOSED: { description: "It waits for the approval of another viewer. Nothing was sent." },
    DECLINED: { description: "A viewer declined the proposal, or a phone number of it was erased. Nothing was sent." },
    EXPIRED: { description: "Nobody approved the proposal in 24 hours. Nothing was sent." },
    PENDING: { description: "It is being sent." },
    ACCEPTED: { description: "The service answered 200. Its answer does not contain the ID of the task." },
    UNCONFIRMED: {
      description:
        "It is not known whether the task exists: the connection broke, or the answer was unclear. The gateway never sends it again by itself.",
    },
    REJECTED: { description: "The service refused it. No task was created." },
    RESOLVED: { description: "The ID of the task is known." },
  } as const,
});

export const TaskMatch = builder.enumType("TaskMatch", {
  description: "How the gateway found the task of a submission.",
  values: {
    MARK: {
      description: "By the correlation token of the submission, which came back with an ended call. This is certain.",
    },
    COMPARISON: {
      description:
        "By comparing a task with the submissions: only this one has its name, assistant and count of numbers, and was sent at that time.",
    },
  } as const,
});

export const KnownFrom = builder.enumType("KnownFrom", {
  description: "Where the gateway knows an assistant or a line from. New values may be added.",
  values: {
    SETTING: { description: "The operator named it: KNOWN_ASSISTANTS, KNOWN_LINES." },
    TASK: { description: "A task that the gateway read from the service showed it." },
    SUBMISSION: { description: "The service accepted a createTask with it." },
  } as const,
});

export const CreateTaskErrorCode = builder.enumType("CreateTaskErrorCode", {
  description: "Why createTask, approveTask or declineTask did not do what was asked. New values may be added.",
  values: {
    INVALID_INPUT: { description: "The input breaks a rule; path tells where. Nothing was sent, and the key is free." },
    NOT_ALLOWED: {
      description:
        "The limits of the key or token do not allow the value at path: a line, the assistant, a number or a period. At from, they leave nobody to call. Nothing was sent, and the key is free.",
    },
    LIMIT_EXCEEDED: {
      description:
        "The task is larger than what is left of a limit of the key or token; limit tells which. Nothing was sent or counted, and the key is free.",
    },
    DO_NOT_CALL: {
      description:
        "A number is in the never-call list, and skipDoNotCall is not set; or all numbers are. Nothing was sent, and the key is free.",
    },
    STILL_CALLING: {
      description:
        "The task whose people are to be called again is not over: the service may still call them. Nothing was sent, and the key is free; a proposal waits on.",
    },
    NOBODY_TO_CALL: {
      description:
        "Of the people who are to be called again nobody is left: calledAgainFrom of checkTask tells why. Nothing was sent, and the key is free; a proposal waits on.",
    },
    IDEMPOTENCY_CONFLICT: { description: "The key was used before with another input. Nothing was sent." },
    REJECTED: {
      description: "The service refused the task, and nothing was created. The payload has the submission, too.",
    },
    UNAVAILABLE: {
      description:
        "The service could not be reached or was busy. Nothing was created. The key is free again; a proposal waits on.",
    },
    TOO_MANY_PROPOSALS: {
      description:
        "100 proposals of the viewer wait already, or they would have more than 64 MiB with this one. Nothing was stored, and the key is free.",
    },
    NOT_PROPOSED: { description: "The id is of no proposal." },
    OWN_PROPOSAL: { description: "A viewer may not approve what it proposed itself. Nothing was sent." },
    APPROVED: { description: "The proposal was approved before, so that it cannot be declined." },
    DECLINED: { description: "The proposal was declined. Nothing was sent, and its key stays used." },
    EXPIRED: { description: "The proposal expired. Nothing was sent, and its key stays used." },
  } as const,
});

export const TaskLimit = builder.enumType("TaskLimit", {
  description:
    "A limit of a key or token that counts. Hours begin at full hours of UTC, days at midnight of the service's time zone.",
  values: {
    NUMBERS_PER_TASK: { value: "numbersPerTask", description: "Numbers in one task." },
    TASKS_PER_HOUR: { value: "tasksPerHour", description: "Tasks in an hour." },
    TASKS_PER_DAY: { value: "tasksPerDay", description: "Tasks in a day." },
    NUMBERS_PER_HOUR: { value: "numbersPerHour", description: "Numbers of all tasks in an hour." },
    NUMBERS_PER_DAY: { value: "numbersPerDay", description: "Numbers of all tasks in a day." },
  } as const,
});

export const MissingBody = builder.enumType("MissingBody", {
  description: "Why the body of a delivery is not shown. New values may be added.",
  values: {
    RECONCILED: { description: "No webhook came: the call was found in the service's call log." },
    IMPORTED: { description: "The call was imported from the service's call log." },
    NOT_KEPT: {
      description:
        "The body expired or was erased, bodies were not kept when it came, or the entry is a new reading of an earlier delivery.",
    },
  } as const satisfies Record<Missing, { description: string }>,
});
