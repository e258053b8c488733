// How the input of a proposal is stored until it is decided: a line of JSON for the task, and one for each number. So neither writing nor
// reading it blocks the event loop, and forgetPhone searches it line by line.
import type { ProposalSummary } from "../../store/tasks/submissionRow.ts";
import type { CreateTaskRequest } from "../../upstream/upstream.ts";
import type { Steps } from "../../util/timeSlices.ts";
import type { CountryCount } from "../check/countByCountry.ts";

export interface ProposalInput {
  request: CreateTaskRequest;
  skipsDoNotCall: boolean;
}

type Head = Omit<CreateTaskRequest, "numbers"> & { skipsDoNotCall: boolean };

/**
 * Stands before the first line where people are called again. Earlier versions of the gateway send whatever they can read, without a look at
 * who was reached meanwhile: this they cannot read, so that they send nothing.
 */
const AGAIN = "again ";

export function* writeProposalInput(
  { request, skipsDoNotCall }: ProposalInput,
  { callsAgain }: { callsAgain: boolean },
): Steps<string> {
  const { numbers, ...head } = request;
  const first = JSON.stringify({ ...head, skipsDoNotCall } satisfies Head);
  const lines = [callsAgain ? AGAIN + first : first];
  for (const number of numbers) {
    lines.push(JSON.stringify(number));
    yield;
  }
  return lines.join("\n");
}

/** Reads what `writeProposalInput` wrote, of this or an earlier version of the gateway. */
export function* readProposalInput(text: string): Steps<ProposalInput> {
  const [first = "", ...lines] = text.split("\n");
  const { skipsDoNotCall, ...head } = readHead(first);
  const numbers: CreateTaskRequest["numbers"][number][] = [];
  for (const line of lines) {
    numbers.push(JSON.parse(line) as CreateTaskRequest["numbers"][number]);
    yield;
  }
  return { request: { ...head, numbers }, skipsDoNotCall };
}

/** Reads the first line. */
export const overrideIn = (head: string): CreateTaskRequest["assistantOverride"] => readHead(head).assistantOverride;

const readHead = (line: string): Head => JSON.parse(line.startsWith(AGAIN) ? line.slice(AGAIN.length) : line) as Head;

export function summaryOf({ request, skipsDoNotCall }: ProposalInput, countries: CountryCount[]): ProposalSummary {
  const { lineIds, periods, startDate, retryCount, retryIntervalSeconds } = request.option;
  return {
    lineIds: [...lineIds],
    periods: periods.map((period) => [...period]),
    startDate,
    retryCount,
    retryIntervalSeconds,
    overridesAssistant: request.assistantOverride !== null,
    skipsDoNotCall,
    countries,
  };
}
