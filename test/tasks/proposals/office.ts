// A gateway at which tasks are proposed and approved, over a real database, with the audit log to look into.
import type { Scope, Viewer } from "../../../src/auth/scopes.ts";
import type { ViewerAccess, ViewerLimits } from "../../../src/auth/viewerPolicy.ts";
import type { ProposalStore } from "../../../src/store/tasks/proposalStore.ts";
import type { SubmitResult } from "../../../src/tasks/submitResult.ts";
import type { CreateTaskInput } from "../../../src/tasks/validateCreateTask.ts";
import { open, tempStore } from "../../store/tempStore.ts";
import { createTaskInput } from "../input.ts";
import { office, type Send } from "../office.ts";

export interface ProposalOffice {
  send?: Send;
  url?: string;
  /** Keys by the names of their viewers; they may change. */
  keys?: Map<string, { limits: ViewerLimits | null; scopes?: Scope[]; access?: ViewerAccess }>;
  neverCalled?: Set<string>;
  /** The version of the policies of tokens, which may change. */
  policies?: { version: string };
  /** Closes the store without the end of the test, as a killed gateway does. */
  isKilled?: boolean;
  broken?: (real: ProposalStore) => Partial<ProposalStore>;
}

const MINUTE = 60_000;

export async function proposalOffice({
  send,
  url,
  keys,
  neverCalled,
  policies,
  isKilled,
  broken,
}: ProposalOffice = {}) {
  const real = isKilled && url !== undefined ? await open(url) : await tempStore(url);
  const store = { ...real, proposals: { ...real.proposals, ...broken?.(real.proposals) } };
  const viewerOfKey = (name: string): Viewer | null => {
    const key = keys?.get(name);
    return key ? { ...viewer(name, key.limits, key.scopes), access: key.access ?? null } : null;
  };
  const made = await office(send, undefined, store, undefined, viewerOfKey, neverCalled, policies);
  const { proposeTask, approveTask, declineTask } = made.task;
  return {
    ...made,
    store,
    propose: (own: Partial<CreateTaskInput> = {}, by = viewerOfKey("web") ?? viewer("web")) =>
      proposeTask(by, createTaskInput(own)),
    approve: (id: string, name = "boss", own: { isAgent?: true } = {}) => approveTask({ name, ...own }, id),
    decline: (id: string, reason: string | null = null, name = "boss") => declineTask({ name }, id, reason),
    /** Oldest first. */
    audit: async () => {
      const entries = await store.audit.page({ after: null, limit: 100 });
      return entries.toReversed().map(({ action, actor, count }) => [action, actor, count]);
    },
  };
}

/** With a token, if it ends. */
export function viewer(
  name: string,
  limits: ViewerLimits | null = null,
  scopes: Scope[] = ["tasks:propose"],
  tokenEndsAt?: number,
): Viewer {
  const ends = tokenEndsAt === undefined ? {} : { tokenEndsAt };
  return { name, limits, access: null, scopes: new Set(scopes), ...ends };
}

export const ofToken = (name: string, limits: ViewerLimits | null) =>
  viewer(name, limits, undefined, Date.now() + MINUTE);

export const idOf = ({ submission }: SubmitResult): string => {
  if (!submission) throw new Error("There is no submission.");
  return submission.id;
};

/** What a result says, in short. */
export const told = ({ submission, replayed, errors }: SubmitResult) => [
  submission?.status ?? null,
  replayed,
  ...errors.map(({ code }) => code),
];

/** The key of the viewer "web". */
export const keyWith = (limits: ViewerLimits): NonNullable<ProposalOffice["keys"]> => new Map([["web", { limits }]]);
