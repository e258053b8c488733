// The viewer that proposed a task, when another one approves it. A key may have other limits by then, or be gone; a token is not there
// to be read again, so the limits that it had are kept with the proposal.
import { holdsNeeded, SUBMITTING, type Viewer } from "../../auth/scopes.ts";
import { maySubmit, type ViewerLimits } from "../../auth/viewerPolicy.ts";
import type { Submitter } from "../taskRules.ts";

/** The limits of the proposing token, or that it was a key. Stored as JSON. */
export type ProposerPolicy = { isKey: true } | { isKey: false; limits: ViewerLimits | null };

export interface Proposers {
  policyOf(viewer: Viewer): string;
  /** With the limits that hold now. Null: the key is gone, or may not propose any more, or not people of a task if it `callsAgain`. */
  current(name: string, policy: string, proposed: { callsAgain: boolean }): Submitter | null;
}

/** `viewerOfKey`: the viewer whose key has this name now. */
export function createProposers(viewerOfKey: (name: string) => Viewer | null): Proposers {
  return {
    policyOf({ name, limits, tokenEndsAt }) {
      const isKey = tokenEndsAt === undefined && viewerOfKey(name) !== null;
      return JSON.stringify((isKey ? { isKey } : { isKey, limits }) satisfies ProposerPolicy);
    },
    current(name, text, { callsAgain }) {
      const policy = JSON.parse(text) as ProposerPolicy;
      if (!policy.isKey) return { name, limits: policy.limits };
      const viewer = viewerOfKey(name);
      if (!viewer || !holdsNeeded(viewer, SUBMITTING) || !maySubmit(viewer.access)) return null;
      return callsAgain && !viewer.scopes.has("calls:read") ? null : viewer;
    },
  };
}
