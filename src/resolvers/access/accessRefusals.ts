// What a viewer with `access` is refused, whether the rows that it asks for exist or not.
import { CodedError } from "../../errors.ts";
import { MAX_TASK_IDS } from "../../upstream/upstream.ts";

export function refuse(): never {
  throw new CodedError(
    "FORBIDDEN",
    "The field is not for viewers with access to some rows only: it would tell of rows of others. A key without access has it.",
  );
}

export const notByLookUp = (): CodedError =>
  new CodedError(
    "FORBIDDEN",
    "A call does not state its line. This viewer finds calls by their tasks: see Task.callLogs.",
  );

export const alertsByTask = (): CodedError =>
  new CodedError(
    "FORBIDDEN",
    "An alert does not state its line. This viewer finds alerts by their tasks: see Task.alerts.",
  );

export const tasksNotNamed = (): CodedError =>
  new CodedError(
    "FORBIDDEN",
    `A call does not state its line. The filter must name 1 to ${MAX_TASK_IDS} tasks in taskIds, all of lines that this viewer sees.`,
  );
