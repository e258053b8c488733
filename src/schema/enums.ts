// The enums of the graph, each with the service's word behind its value.
import { builder } from "./builder.ts";

export const CallDirection = builder.enumType("CallDirection", {
  values: { INBOUND: { value: "inbound" }, OUTBOUND: { value: "outbound" } } as const,
});

export const CallKind = builder.enumType("CallKind", {
  values: {
    PHONE: { value: "phone" },
    PRIVATE_TEST: { value: "privateTest", description: "A debug call." },
  } as const,
});

export const HangupSide = builder.enumType("HangupSide", {
  description: "Which end of the line hung up. Who that was depends on the direction: see HungUpBy.",
  values: { CALLER: { value: "caller" }, CALLEE: { value: "callee" } } as const,
});

export const HungUpBy = builder.enumType("HungUpBy", {
  description: "On an outbound call the assistant is the caller, on an inbound call the callee.",
  values: ["ASSISTANT", "CUSTOMER"] as const,
});

export const RecordingStatus = builder.enumType("RecordingStatus", {
  values: {
    PENDING: { description: "Waiting for its download, or for another try." },
    ARCHIVED: {},
    LOST: { description: "The URL had expired, or the last try failed." },
  } as const,
});

export const TaskStatus = builder.enumType("TaskStatus", {
  values: {
    PENDING: { value: "pending" },
    RUNNING: { value: "running" },
    STOP_OPERATE: { value: "stop.operate", description: "stop.operate" },
    STOP_TIMEOUT: { value: "stop.timeout", description: "stop.timeout" },
    STOP_ABNORMAL: { value: "stop.abnormal", description: "stop.abnormal" },
    DONE: { value: "done" },
    UNKNOWN: { value: "unknown", description: "A status the service has not documented: see unread." },
  } as const,
});

export const UpstreamState = builder.enumType("UpstreamState", {
  values: {
    HEALTHY: {},
    DEGRADED: { description: "Some requests fail." },
    DOWN: { description: "The circuit is open: requests fail at once." },
  } as const,
});

export const Language = builder.enumType("Language", {
  values: { ZH: { value: "zh" }, EN: { value: "en" }, JP: { value: "jp" } } as const,
});

export const TimeBucket = builder.enumType("TimeBucket", {
  values: { MINUTE: { value: "minute" }, HOUR: { value: "hour" }, DAY: { value: "day" } } as const,
});

export const EventOrder = builder.enumType("EventOrder", {
  values: { OLDEST_FIRST: { value: "oldestFirst" }, NEWEST_FIRST: { value: "newestFirst" } } as const,
});

export const EventSource = builder.enumType("EventSource", {
  values: {
    WEBHOOK: { description: "The service's call-ended webhook." },
    RECONCILED: {
      description:
        "The webhook did not come; the gateway found the ended call in the call log. What only a webhook tells is null.",
    },
  } as const,
});

export const SubmissionStatus = builder.enumType("SubmissionStatus", {
  values: {
    PENDING: { description: "Being sent." },
    ACCEPTED: { description: "The service answered 200; it does not tell the task's ID." },
    UNCONFIRMED: {
      description:
        "It is not known whether the task exists: the connection broke, or the answer was no answer. It is never sent again by itself.",
    },
    REJECTED: { description: "The service refused it." },
    RESOLVED: { description: "The task's ID is known." },
  } as const,
});

export const TaskMatch = builder.enumType("TaskMatch", {
  values: {
    MARK: { description: "By the submission's own mark, which came back with an ended call of the task: certain." },
    COMPARISON: {
      description:
        "By comparing a task with the submissions: this one alone has its name, assistant and count of numbers, and was made at its time.",
    },
  } as const,
});

export const CreateTaskErrorCode = builder.enumType("CreateTaskErrorCode", {
  values: {
    INVALID_INPUT: {},
    IDEMPOTENCY_CONFLICT: { description: "The key was used before with another input." },
    REJECTED: {
      description: "The service refused the task; nothing was created. The submission is given too, REJECTED.",
    },
    UNAVAILABLE: {
      description: "The service could not be reached or had no room; nothing was created, and the key is free again.",
    },
  } as const,
});
