// The viewer that proposed a task, when another one approves it. A key may have other limits by then, or be gone. A token is not there to be
// read again: its scopes, limits and access are kept with the proposal, and hold while the policies of tokens are the same.
import { holdsNeeded, scopes, SUBMITTING, type Scope, type Viewer } from "../../auth/scopes.ts";
import { maySubmit, type ViewerAccess, type ViewerLimits } from "../../auth/viewerPolicy.ts";
import type { SubmitError } from "../submitResult.ts";
import type { Submitter } from "../taskRules.ts";
import { keyIsGone, policiesChanged } from "./decisionErrors.ts";

/** What the proposing token could do, or that it was a key. Stored as JSON. */
export type ProposerPolicy = { isKey: true } | TokenPolicy;

/** Earlier versions of the gateway stored the limits alone: what the token saw is not known, which decides whom a task may call again. */
interface TokenPolicy {
  isKey: false;
  limits: ViewerLimits | null;
  access?: ViewerAccess | null;
  scopes?: readonly Scope[];
  /** The version of TOKEN_POLICY_FILE. */
  policies?: string;
}

/** `access`: of the rows that it sees. */
export type Proposer = Submitter & Pick<Viewer, "access">;

export interface Proposers {
  policyOf(viewer: Viewer): string;
  /** As it may propose now. An error: it may not propose any more, or not people of a task if the task `callsAgain`. */
  current(name: string, policy: string, proposed: { callsAgain: boolean }): Proposer | SubmitError;
}

export interface ProposersDeps {
  /** The viewer whose key has this name now. */
  viewerOfKey: (name: string) => Viewer | null;
  /** See TokenPolicies.version. */
  policyVersion: () => string;
}

export function createProposers({ viewerOfKey, policyVersion }: ProposersDeps): Proposers {
  return {
    policyOf({ name, limits, access, scopes: held, tokenEndsAt }) {
      const isKey = tokenEndsAt === undefined && viewerOfKey(name) !== null;
      const ofToken = { isKey: false, limits, access, scopes: [...held], policies: policyVersion() } as const;
      return JSON.stringify((isKey ? { isKey } : ofToken) satisfies ProposerPolicy);
    },
    current(name, text, { callsAgain }) {
      const policy = JSON.parse(text) as ProposerPolicy;
      const viewer = policy.isKey ? viewerOfKey(name) : viewerOfToken(name, policy);
      const { policies } = policy.isKey ? {} : policy;
      const hasChanged = policies === undefined ? !policy.isKey && callsAgain : policies !== policyVersion();
      if (hasChanged) return policiesChanged;
      if (!viewer || !holdsNeeded(viewer, SUBMITTING) || !maySubmit(viewer.access)) return keyIsGone;
      return callsAgain && !viewer.scopes.has("calls:read") ? keyIsGone : viewer;
    },
  };
}

const viewerOfToken = (name: string, { limits, access = null, scopes: held = [...scopes] }: TokenPolicy) => ({
  name,
  limits,
  access,
  scopes: new Set(held),
});
