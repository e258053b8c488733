// Chooses the people of a task who are called again, as the log shows them at one instant, and says why the others are left out. Whether it
// is still so is decided when the submission is stored (store/tasks/callAgainWrites.ts).
import type { EventLog } from "../../events/eventLog.ts";
import { createEventCursors } from "../../events/logEntry.ts";
import { CodedError } from "../../errors.ts";
import { recipientKey, type PersonKey } from "../../store/projections/recipientPeople.ts";
import type { Recipient, RecipientFilter, RecipientStore } from "../../store/projections/recipientStore.ts";
import { createQueryOwner } from "../../store/scheduling/queryOwner.ts";
import { chunksOf } from "../../store/sqlHelpers.ts";
import type { CallAgainStore } from "../../store/tasks/callAgainStore.ts";
import { ENDED_UNSENT, type CampaignGuard, type CampaignView } from "../../store/tasks/callAgainWrites.ts";
import type { LeftOutReason, SubmissionStatus } from "../../store/tasks/submissionRow.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import type { Signer } from "../../util/hmac.ts";
import type { Steps, TimeSlices } from "../../util/timeSlices.ts";
import type { CorrelationTokens } from "../correlationToken.ts";
import { validateVariables } from "../taskNumbers.ts";
import { createPeopleSet, hashPeople, peopleIn, readPeople, readPerson, type PeopleSet } from "./campaignPeople.ts";
import { createReadNumbers, type CalledNumber } from "./recipientNumbers.ts";
import { isOver } from "./sourceTask.ts";

export interface ChosenPerson {
  number: string;
  extra: Record<string, unknown> | null;
  /** As numbers name a person, not hashed. */
  keys: readonly PersonKey[];
  /** The service's ID of the number in the task whose people are chosen. Null: the newest call has none. */
  taskItemId: string | null;
}

export interface ChosenPeople {
  people: ChosenPerson[];
  leftOut: Map<LeftOutReason, number>;
  guard: CampaignGuard;
}

export interface ChoosePeopleDeps {
  store: CallAgainStore;
  /** `waitFor`: whether recipients show the log up to a cursor, at the latest after some milliseconds. */
  recipients: Pick<RecipientStore, "page" | "callsOfAll" | "reachedAmong"> & {
    waitFor(cursor: string, withinMs: number): Promise<boolean>;
  };
  events: Pick<EventLog, "newestOf">;
  tokens: Pick<CorrelationTokens, "submissionIdOf">;
  upstream: Pick<Upstream, "getTask">;
  signer: Signer;
  slices: Pick<TimeSlices, "run">;
  clock: () => number;
  /** How long it waits for recipients. */
  waitMs?: number;
}

/** `own`: a submission that does not keep its people from being chosen, because it is theirs. */
export type ChoosePeople = (viewer: string, source: ChosenSource, own: string | null) => Promise<ChosenPeople>;

export interface ChosenSource {
  taskId: string;
  filter: RecipientFilter;
}

const WAIT_MS = 5000;
/** Calls of a task whose tokens are looked at. */
const TOKENS_READ = 20;
/** A page is read and parsed in one turn of the event loop. */
const PAGE = 200;

/** Throws STORE_UNAVAILABLE where the people are not known up to the end of the log, and UPSTREAM_* where the service is not there. */
export function createChoosePeople(deps: ChoosePeopleDeps): ChoosePeople {
  const { store, recipients, events, tokens, upstream, signer, slices, clock, waitMs = WAIT_MS } = deps;
  const cursors = createEventCursors(signer);
  const readNumbers = createReadNumbers(deps);

  async function waitUntilShown({ through }: CampaignView): Promise<void> {
    if (through === null || (await recipients.waitFor(cursors.at(through), waitMs))) return;
    throw notShown();
  }

  /** Throws where a page is older than the view: rows may be read from another place than where they were waited for. */
  async function* pagesOf(
    viewer: string,
    { taskId, filter }: ChosenSource,
    { through }: CampaignView,
  ): AsyncGenerator<Recipient[]> {
    const owner = createQueryOwner(viewer);
    let after: number | null = null;
    for (;;) {
      const { found, upTo } = await recipients.page(owner, { taskId, filter, after, limit: PAGE });
      // Cursors of the log that are not hidden sort in its order.
      if (through !== null && (upTo === null || upTo < cursors.at(through))) throw notShown();
      yield found;
      const last: Recipient | undefined = found.at(-1);
      if (!last || found.length < PAGE) return;
      after = last.recipient;
    }
  }

  /** Whether a task of the campaign has reached each of these people, in any writing of their numbers. */
  async function reachedBefore(people: readonly ChosenPerson[], view: CampaignView): Promise<boolean[]> {
    const reached = new Set<ChosenPerson>();
    for (const taskId of view.tasks) {
      const asked = people.flatMap((person) =>
        person.keys.map(({ key, code }) => ({ taskId, key: recipientKey(signer, taskId, key), code, person })),
      );
      const found = createPeopleSet();
      for (const some of chunksOf(asked)) found.add(await recipients.reachedAmong(some));
      for (const { person, ...key } of asked) if (found.has([key])) reached.add(person);
    }
    return people.map((person) => reached.has(person));
  }

  async function isTaskOver(taskId: string): Promise<boolean> {
    const task = await upstream.getTask(taskId);
    return isOver({ task, lastReceivedAt: await store.lastReceivedAt(taskId) }, clock());
  }

  /** The people of other submissions that may still call, and the tasks that called none of the people who are left. */
  async function calledElsewhere(
    viewer: string,
    people: readonly ChosenPerson[],
    view: CampaignView,
    own: string | null,
  ) {
    const called = new Set<ChosenPerson>();
    const ofOthers = new Set<string>();
    /** Most rounds have no other submission, and need none of them. */
    let hashed: PersonKey[][] | null = null;
    for (const { id, status, taskId } of view.submissions) {
      if (id === own || ENDED.has(status)) continue;
      const set = await slices.run(viewer, readPeople(await store.peopleOf(id)));
      hashed ??= await slices.run(viewer, hashPeople(signer, people));
      const common = await slices.run(viewer, peopleIn(set, people, hashed));
      if (taskId !== null && common.length > 0 && (await isTaskOver(taskId))) continue;
      for (const person of common) called.add(person);
      if (taskId !== null && taskId !== view.taskId) ofOthers.add(taskId);
    }
    return { called, ofOthers };
  }

  /** The submission that a task came from, by the tokens of its calls: the correlator may not have read them. Null: they name none. */
  async function createdBy(viewer: string, taskId: string): Promise<string | null> {
    const page = { taskId, filter: {}, after: null, limit: TOKENS_READ };
    const { found } = await recipients.page(createQueryOwner(viewer), page);
    const calls = await events.newestOf(found.map(({ lastSession }) => lastSession));
    const named = calls.map((call) => (call && !(call instanceof Error) ? tokens.submissionIdOf(call.extra) : null));
    return named.find((id) => id !== null) ?? null;
  }

  async function viewOf(viewer: string, taskId: string): Promise<CampaignView> {
    const view = await store.campaign({ taskId, createdBy: null });
    await waitUntilShown(view);
    const isKnown = view.submissions.some((submission) => submission.taskId === taskId);
    const submissionId = isKnown ? null : await createdBy(viewer, taskId);
    if (submissionId === null) return view;
    const whole = await store.campaign({ taskId, createdBy: submissionId });
    await waitUntilShown(whole);
    return whole;
  }

  return async (viewer, source, own) => {
    const view = await viewOf(viewer, source.taskId);
    const leftOut = new Map<LeftOutReason, number>();
    const leave = (reason: LeftOutReason) => void leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
    /** Several records of a task may be of one person. */
    const known: PeopleSet = createPeopleSet();
    const readable: ChosenPerson[] = [];
    for await (const page of pagesOf(viewer, source, view)) {
      const open = page.filter(({ outcome }) => outcome !== "REACHED" || leave("REACHED"));
      const numbers = await readNumbers(source.taskId, open);
      const read = await slices.run(viewer, readPeopleOf(numbers, leave));
      const reached = await reachedBefore(read, view);
      for (const [at, person] of read.entries()) {
        if (reached[at]) leave("REACHED");
        else if (known.has(person.keys)) leave("ALREADY_BEING_CALLED");
        else readable.push(person);
        known.add(person.keys);
      }
    }
    const { called, ofOthers } = await calledElsewhere(viewer, readable, view, own);
    const people = readable.filter((person) => !called.has(person) || leave("ALREADY_BEING_CALLED"));
    return {
      people,
      leftOut,
      guard: { ...view, isChosen: await slices.run(viewer, chosenOf(source.taskId, people, ofOthers)) },
    };
  };
}

const notShown = (): CodedError =>
  new CodedError(
    "STORE_UNAVAILABLE",
    "The people of the task are not made up to the end of the log yet. Nothing was sent; try again in some seconds.",
    { retryAfter: 5 },
  );

const ENDED: ReadonlySet<SubmissionStatus> = new Set(ENDED_UNSENT);

/** One number per step. */
function* readPeopleOf(
  numbers: readonly (CalledNumber | null)[],
  leave: (reason: LeftOutReason) => void,
): Steps<ChosenPerson[]> {
  const people: ChosenPerson[] = [];
  for (const called of numbers) {
    yield;
    if (called === null) {
      leave("NOT_IN_LOG");
      continue;
    }
    const { number, extra, taskItemId } = called;
    const person = number === null ? null : readPerson(number);
    if (person === null || (extra !== null && validateVariables(extra) !== null)) {
      leave("UNREADABLE");
      continue;
    }
    const { sent, keys } = person;
    people.push({ number: sent, extra, keys, taskItemId });
  }
  return people;
}

/**
 * An answered call is to a person by the number, or by the number's ID in the task (taskItemId), whatever number it shows. One without a readable
 * number may be to anybody of its task. Without an ID, too, nobody knows to whom it was, however often people are chosen.
 */
function* chosenOf(
  source: string,
  people: readonly ChosenPerson[],
  ofOthers: ReadonlySet<string>,
): Steps<CampaignGuard["isChosen"]> {
  const chosen = createPeopleSet();
  const items = new Set<string>();
  for (const { keys, taskItemId } of people) {
    chosen.add(keys);
    if (taskItemId !== null) items.add(taskItemId);
    yield;
  }
  return ({ taskId, callee, taskItemId }) => {
    const person = callee === null ? null : readPerson(callee);
    if (person && chosen.has(person.keys)) return true;
    if (taskItemId === null) return false;
    return person === null ? !ofOthers.has(taskId) : taskId === source && items.has(taskItemId);
  };
}
